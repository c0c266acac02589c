import { expect, it } from 'vitest'
import { csvOf } from '@/lib/service/exports/csv'

it('cells that a spreadsheet would calculate are text, numbers stay numbers', () => {
  const rows = ['=1+1', ' =1', '\t@x', '\n+1', '-x', 'plain', '', '0'].map((key) => ({ key, value: -1, none: null }))
  const keys = csvOf(rows).split('\r\n').slice(1, -1)
  expect(keys).toEqual(["'=1+1,-1,", "' =1,-1,", "'\t@x,-1,", `"'\n+1",-1,`, "'-x,-1,", 'plain,-1,', ',-1,', '0,-1,'])
})
