/** Places of the common effects that every field has; the cross hubs follow. */
export const BASELINE = 0
export const SLOPE = 1
/** how fast training moves environments, what is shared inside them, and what is shared across them */
export const SPEED = { environment: 2, within: 3, cross: 4 }
export const SPEEDS: readonly number[] = Object.values(SPEED)
export const FIRST_HUB = 5
