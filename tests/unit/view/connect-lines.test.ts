import { expect, it } from 'vitest'
import { freeTokenName } from '@/lib/view/connect-lines'

it('proposes a name that no token has', () => {
  expect(freeTokenName([])).toBe('trainer')
  expect(freeTokenName(['mira', 'trainer'])).toBe('trainer 2')
  expect(freeTokenName(['trainer 2', 'trainer', 'trainer 4'])).toBe('trainer 3')
})
