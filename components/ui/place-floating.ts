/* Owns where a floating box stands: under its anchor, above where there is no room, never outside the window. Pixels of the viewport. */

export function placeFloating(
  anchor: HTMLElement,
  floating: HTMLElement,
  align: 'start' | 'end' = 'start',
  gap = 6,
): void {
  const at = anchor.getBoundingClientRect()
  const box = floating.getBoundingClientRect()
  const below = at.bottom + gap
  const top = below + box.height > window.innerHeight - 8 ? Math.max(8, at.top - gap - box.height) : below
  const wanted = align === 'start' ? at.left : at.right - box.width
  const left = Math.min(Math.max(8, wanted), Math.max(8, window.innerWidth - box.width - 8))
  floating.style.top = `${top}px`
  floating.style.left = `${left}px`
}
