/**
 * Points that can be hollow, for tasks that were never tried. The second and last file that knows Sigma.
 * Invariant: a colour with an alpha under one half is drawn as a ring of its full colour; picking sees the whole disc.
 */
import { NodePointProgram } from 'sigma/rendering'

/** What marks a colour as hollow; the drawing itself is opaque. */
const HOLLOW_ALPHA = 0.25

const FRAGMENT = /* glsl */ `
precision mediump float;
varying vec4 v_color;
varying float v_border;
const float radius = 0.5;
void main(void) {
  float dist = radius - length(gl_PointCoord - vec2(0.5, 0.5));
  #ifdef PICKING_MODE
  gl_FragColor = dist > v_border ? v_color : vec4(0.0);
  #else
  float t = clamp(dist / v_border, 0.0, 1.0);
  if (v_color.a < 0.5) {
    float wall = min(1.6 * v_border, 0.2);
    t *= 1.0 - 0.88 * clamp((dist - wall) / v_border, 0.0, 1.0);
  }
  gl_FragColor = vec4(v_color.rgb, 1.0) * t;
  #endif
}`

export class HollowPointProgram extends NodePointProgram {
  override getDefinition() {
    return { ...super.getDefinition(), FRAGMENT_SHADER_SOURCE: FRAGMENT }
  }
}

/** "rgb(a, b, c)" as the colour of a hollow point. */
export function hollow(colour: string): string {
  const [r = 0, g = 0, b = 0] = (colour.match(/\d+(\.\d+)?/g) ?? []).map(Number)
  return `rgba(${r},${g},${b},${HOLLOW_ALPHA})`
}
