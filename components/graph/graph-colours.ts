'use client'
/* Owns the tokens that canvases draw with, read again when the theme changes. Registered tokens answer as rgb(). */
import { useEffect, useState } from 'react'
import { HUES } from '@/lib/view/graph-hues'

export interface GraphColours {
  surface: string
  ink1: string
  ink2: string
  ink3: string
  line: string
  within: string
  cross: string
  /** index 0 is env-other, then env-1 … env-12 */
  hues: string[]
  /** 0 to 6 of the variance scale */
  seq: string[]
}

/** As the theme is now. */
export function readColours(): GraphColours {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    surface: token('--surface-0'),
    ink1: token('--text-1'),
    ink2: token('--text-2'),
    ink3: token('--text-3'),
    line: token('--line-1'),
    within: token('--rel-within'),
    cross: token('--rel-cross'),
    hues: ['--env-other', ...Array.from({ length: HUES }, (_, i) => `--env-${i + 1}`)].map(token),
    seq: Array.from({ length: 7 }, (_, i) => token(`--seq-${i}`)),
  }
}

export function useGraphColours(): GraphColours {
  const [colours, setColours] = useState(readColours)
  useEffect(() => {
    const again = () => setColours(readColours())
    const theme = new MutationObserver(again)
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const contrast = matchMedia('(prefers-contrast: more)')
    dark.addEventListener('change', again)
    contrast.addEventListener('change', again)
    again()
    return () => {
      theme.disconnect()
      dark.removeEventListener('change', again)
      contrast.removeEventListener('change', again)
    }
  }, [])
  return colours
}

/** "rgb(a, b, c)" with an alpha, premultiplied: what Sigma's blending expects. */
export function premultiplied(colour: string, alpha: number): string {
  const [r = 0, g = 0, b = 0] = (colour.match(/\d+(\.\d+)?/g) ?? []).map(Number)
  return `rgba(${[r, g, b].map((part) => Math.round(part * alpha)).join(',')},${alpha})`
}
