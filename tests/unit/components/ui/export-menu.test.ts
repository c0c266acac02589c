import { describe, expect, test } from 'vitest'
import { tableName } from '@/components/ui/column-choice'
import { curlOf } from '@/components/ui/export-menu'
import { tableItems } from '@/components/ui/table-items'

describe('taking a table away', () => {
  test('the command has the address and no token, and quotes cannot end it', () => {
    expect(curlOf('http://127.0.0.1:4310', '/runs/r1/tasks?q=a b')).toBe(
      `curl -H "Authorization: Bearer $ENVSCHED_TOKEN" 'http://127.0.0.1:4310/api/v1/runs/r1/tasks?q=a b'`,
    )
    expect(curlOf('http://h', "/runs/r1/tasks?q='; rm -rf x'").split("'")).toHaveLength(3)
  })
})

describe('the columns that are kept', () => {
  test('tables that differ in a number share them', () => {
    expect(tableName('Picks of batch 12')).toBe(tableName('Picks of batch 7'))
    expect(tableName('Picks')).not.toBe(tableName('Tasks'))
  })
})

describe('items of a long table', () => {
  test('what is open under a row is an item of its own; no rows give none', () => {
    expect(tableItems([], String, undefined)).toEqual([])
    const items = tableItems(
      ['a', 'b'],
      (row) => row,
      (row) => (row === 'a' ? 'more' : null),
    )
    expect(items.map(({ key, at }) => [key, at])).toEqual([
      ['a', 0],
      ['a open', 0],
      ['b', 1],
    ])
    expect(items.map(({ under }) => under)).toEqual([null, 'more', null])
  })
})
