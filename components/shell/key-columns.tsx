/* Owns the list of keys in columns, for its dialog and for Help. */
import { Kbd } from '@/components/ui/kbd'
import { RUN_TABS, SERVER_TABS } from './run-tabs'

type Line = { what: string; keys: string[]; sequence?: boolean }

const COLUMNS: Line[][] = [
  [
    { what: 'search everything', keys: ['Ctrl', 'K'] },
    { what: 'this list', keys: ['?'] },
    { what: 'close, then clear selection', keys: ['Esc'] },
    { what: 'panel under the pointer as table', keys: ['t'] },
  ],
  RUN_TABS.map((tab) => ({ what: tab.word, keys: ['g', tab.key], sequence: true })),
  SERVER_TABS.map((tab) => ({ what: tab.word, keys: ['g', tab.key], sequence: true })),
  [
    { what: 'next, previous row', keys: ['j', 'k'] },
    { what: 'open the row', keys: ['o'] },
    { what: 'select the run', keys: ['x'] },
    { what: 'previous, next batch', keys: ['[', ']'] },
    { what: 'newest batch, live', keys: ['l'] },
    { what: 'graph: in, out, whole', keys: ['+', '-', '0'] },
  ],
]

export function KeyColumns() {
  return (
    <div className="gap-x-9 columns-2 max-sm:columns-1 md:grid md:grid-cols-4">
      {COLUMNS.map((column) => (
        <div key={column[0]?.what}>
          {column.map((line) => (
            <div key={line.what} className="flex min-h-[26px] break-inside-avoid items-center justify-between gap-2">
              <span className="text-ink-2">{line.what}</span>
              <Kbd keys={line.keys} sequence={line.sequence} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
