/* Owns the signals that reach a part of the frame from anywhere: open the search or the list of keys, ask to pause, change the
   look. Events of the window, so that no part needs the other. */
import type { Look } from './theme'

export const SEARCH_EVENT = 'envsched:search'
export const KEYS_EVENT = 'envsched:keys'
export const PAUSE_EVENT = 'envsched:pause'
export const LOOK_EVENT = 'envsched:look'

export function openSearch(): void {
  window.dispatchEvent(new Event(SEARCH_EVENT))
}

export function openKeys(): void {
  window.dispatchEvent(new Event(KEYS_EVENT))
}

/** What the pause button of the head does: asks for a reason, or resumes. */
export function askPause(): void {
  window.dispatchEvent(new Event(PAUSE_EVENT))
}

export function changeLook(look: Partial<Look>): void {
  window.dispatchEvent(new CustomEvent(LOOK_EVENT, { detail: look }))
}
