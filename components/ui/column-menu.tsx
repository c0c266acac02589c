'use client'
/* Owns the choice of columns of one table, in the head of its panel. The first column stays: it says which row it is. */
import { Checkbox } from './checkbox'
import type { Column } from './data-table'
import { Icon } from './icon'
import { PanelAct } from './panel-acts'
import { Popover } from './popover'

const wordOf = (column: { key: string; head: unknown }) => (typeof column.head === 'string' ? column.head : column.key)

export function ColumnMenu<Row>({
  label,
  columns,
  hidden,
  choose,
}: {
  label: string
  columns: readonly Column<Row>[]
  hidden: readonly string[]
  choose: (key: string, shown: boolean) => void
}) {
  const free = columns.slice(1).filter((column) => column.head !== '')
  return (
    <PanelAct>
      <Popover
        label={hidden.length === 0 ? `Columns of ${label}` : `Columns of ${label}, ${hidden.length} hidden`}
        trigger={<Icon name="columns" />}
        triggerClass="panel-act"
        className="menu"
        align="end"
      >
        {() =>
          free.map((column) => (
            <span key={column.key} className="menu-check">
              <Checkbox
                label={wordOf(column)}
                checked={!hidden.includes(column.key)}
                onChange={(shown) => choose(column.key, shown)}
              />
              <span aria-hidden="true">{wordOf(column)}</span>
            </span>
          ))
        }
      </Popover>
    </PanelAct>
  )
}
