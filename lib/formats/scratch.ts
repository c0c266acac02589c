/**
 * Where long texts wait while a source is read: given by who calls, so that this room needs no disk.
 * Invariant: what was put is read back as it was, by the number that `put` gave.
 */
export interface Scratch {
  /** Numbers rise by one from 0. Throws the cause where there is no room. */
  put(text: string): number
  get(at: number): string
}

/** In memory: for small sources and tests. */
export class HeldScratch implements Scratch {
  private readonly texts: string[] = []

  put(text: string): number {
    this.texts.push(text)
    return this.texts.length - 1
  }

  get(at: number): string {
    return this.texts[at] ?? ''
  }
}
