/* Owns where the keyboard goes when what had the focus is gone: back to the opener, else to what stands in its place, else to
   the page. Must never take the focus from anywhere: it acts only while nothing has it, and not after a person acted. */

/** A fresh answer may replace the opener a moment after it got the focus back. */
const LOOKS_MS = [0, 120, 400, 1000, 2500]
const CONTROLS = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), [tabindex="0"]'

const isLost = () => document.activeElement === null || document.activeElement === document.body

export function focusMain(): void {
  const main = document.querySelector('main')
  if (main === null) return
  main.tabIndex = -1
  main.focus({ preventScroll: true })
}

function ancestorsOf(element: Element): Element[] {
  const chain: Element[] = []
  for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) chain.push(at)
  return chain
}

/** The way back to `opener`, to be made while it has the focus and called when it should have it again. */
export function wayBack(opener: Element | null): () => void {
  const chain = opener === null || opener === document.body ? [] : ancestorsOf(opener)
  return () =>
    whenLost(() => {
      if (opener instanceof HTMLElement && opener.isConnected && opener.matches(CONTROLS)) return opener.focus()
      const place = chain.find((element) => element.isConnected)
      const near =
        place === undefined || place.matches('main, body') ? null : place.querySelector<HTMLElement>(CONTROLS)
      if (near === null || opener === null) focusMain()
      else near.focus()
    })
}

/** Calls `act` now and in the next moments, whenever nothing has the focus, until a person acts. */
export function whenLost(act: () => void): void {
  const timers = LOOKS_MS.map((wait) => setTimeout(() => isLost() && act(), wait))
  const stop = () => {
    for (const timer of timers) clearTimeout(timer)
    window.removeEventListener('pointerdown', stop, true)
    window.removeEventListener('keydown', stop, true)
  }
  window.addEventListener('pointerdown', stop, true)
  window.addEventListener('keydown', stop, true)
  setTimeout(stop, (LOOKS_MS.at(-1) ?? 0) + 1)
}

/** What has the focus lets go of it, and the page takes it. */
export function leave(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  whenLost(focusMain)
}
