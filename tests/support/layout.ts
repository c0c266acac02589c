/**
 * What a page must never do at a width that it is made for: scroll sideways, or let something stick out on the right.
 * Owns the measuring, in the browser. What a scrolling or clipping box holds back is that box's own matter.
 */
import type { Page } from '@playwright/test'

/** Sentences on what is out of place; empty = the page fits its window. */
export async function outOfPlace(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const said: string[] = []
    const wide = document.documentElement.scrollWidth
    if (wide > width) said.push(`the page is ${wide} px wide in a window of ${width}`)
    const held = (element: Element): boolean => {
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        const overflow = getComputedStyle(box).overflowX
        if (overflow !== 'visible' && box.getBoundingClientRect().right <= width + 1) return true
      }
      return false
    }
    for (const element of document.body.querySelectorAll('*')) {
      const box = element.getBoundingClientRect()
      if (box.width === 0 || box.height === 0 || box.right <= width + 1) continue
      if (getComputedStyle(element).visibility === 'hidden' || held(element)) continue
      said.push(`${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} ends at ${box.right} px`)
    }
    return said.slice(0, 5)
  })
}
