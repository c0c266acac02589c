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
