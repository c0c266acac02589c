/* Owns the two signals that open the search and the list of keys from anywhere: events of the window, so that no part needs the other. */

export const SEARCH_EVENT = 'envsched:search'
export const KEYS_EVENT = 'envsched:keys'

export function openSearch(): void {
  window.dispatchEvent(new Event(SEARCH_EVENT))
}

export function openKeys(): void {
  window.dispatchEvent(new Event(KEYS_EVENT))
}
