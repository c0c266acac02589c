import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readKept, writeKept } from '@/components/steering/use-kept'

describe('texts that the browser keeps', () => {
  const kept = new Map<string, string>()
  let refuses = false
  const guard = () => {
    if (refuses) throw new DOMException('no room', 'QuotaExceededError')
  }
  beforeEach(() => {
    refuses = false
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => {
        guard()
        return kept.get(key) ?? null
      },
      setItem: (key: string, text: string) => {
        guard()
        kept.set(key, text)
      },
      removeItem: (key: string) => {
        guard()
        kept.delete(key)
      },
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  it('are in its storage, and the empty text forgets them', () => {
    writeKept('a', 'pin:t1:10')
    expect([readKept('a'), kept.get('a')]).toEqual(['pin:t1:10', 'pin:t1:10'])
    writeKept('a', '')
    expect([readKept('a'), kept.size]).toEqual(['', 0])
  })

  it('are held by the page where the storage is full or forbidden, and go back to it once it takes them', () => {
    writeKept('b', 'old')
    refuses = true
    expect(readKept('c')).toBe('')
    writeKept('b', 'new')
    expect(readKept('b')).toBe('new')
    writeKept('b', '')
    expect(readKept('b')).toBe('')
    refuses = false
    expect(readKept('b')).toBe('')
    writeKept('b', 'newer')
    expect([readKept('b'), kept.get('b')]).toEqual(['newer', 'newer'])
  })
})
