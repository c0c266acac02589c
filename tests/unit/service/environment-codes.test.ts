import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codesOf, huesOf } from '@/lib/service/environment-codes'

test('codes come from the names', () => {
  expect(codesOf(['airline', 'retail', 'GorillaFileSystem', 'TravelAPI', 'ACEBench multi step'])).toEqual([
    'AIR',
    'RET',
    'GFS',
    'TRA',
    'AMS',
  ])
})

test('codes are unique, three long, whatever the names', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 12 }), { maxLength: 200 }), (names) => {
      const codes = codesOf(names)
      expect(new Set(codes).size).toBe(names.length)
      for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{3}$/)
    }),
  )
})

test('up to twelve environments have a hue each; of more, the eleven largest', () => {
  expect(huesOf([])).toEqual([])
  expect(huesOf([0, 5, 5])).toEqual([1, 2, 3])
  const many = huesOf(Array.from({ length: 20 }, (_, i) => i))
  expect(many.slice(0, 9).every((hue) => hue === null)).toBe(true)
  expect(many.slice(9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})
