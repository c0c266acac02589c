import { describe, expect, it } from 'vitest'
import { twinToCsv, twinToJson } from '@/lib/view/table-twin'

const twin = {
  name: 'rows',
  columns: ['task', 'reward', 'note'],
  rows: [
    ['a,b', 0, null],
    ['=cmd()', null, 'said "no"'],
    ['c', -0.5, 'two\nlines'],
  ],
}

describe('twinToCsv', () => {
  it('leaves unknown cells empty and writes 0', () => {
    expect(twinToCsv(twin).split('\r\n').slice(0, 2)).toEqual(['task,reward,note', '"a,b",0,'])
  })

  it('quotes and disarms what a spreadsheet would run, but not a negative number', () => {
    const csv = twinToCsv(twin)
    expect(csv).toContain(`'=cmd(),,"said ""no"""`)
    expect(csv).toContain('c,-0.5,"two\nlines"')
  })
})

describe('twinToJson', () => {
  it('keeps null and 0 apart', () => {
    expect(JSON.parse(twinToJson(twin))[0]).toEqual({ task: 'a,b', reward: 0, note: null })
  })
})

describe('a cell that a spreadsheet would take for a formula', () => {
  it('is marked as text, also behind white space; numbers stay numbers', () => {
    const rows = [['=1'], [' =1'], ['\n+1'], ['\u00a0@x'], ['-2'], [-2], [' plain']]
    expect(twinToCsv({ name: 'x', columns: ['@head'], rows })).toBe(
      "'@head\r\n'=1\r\n' =1\r\n\"'\n+1\"\r\n'\u00a0@x\r\n'-2\r\n-2\r\n plain\r\n",
    )
  })
})
