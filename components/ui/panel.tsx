'use client'
/* Owns a panel of the ruled sheet: title, sub, "show as table", export. Knows the plain table behind what it holds, not what it holds.
   Invariant: every chart and table can be shown as a plain table and taken away as CSV or JSON; a fault inside stays inside. */
import { type ReactNode, useRef, useState } from 'react'
import type { TableTwin } from '@/lib/view/table-twin'
import { ExportMenu } from './export-menu'
import { Icon } from './icon'
import { PanelActsContext } from './panel-acts'
import { PanelBoundary } from './panel-boundary'
import { TwinTable } from './twin-table'
import { useKeys } from './use-keys'

// between a phone and 1000 px a quarter is a half, and what shared its row otherwise has one of its own
const SPANS: Record<number, string> = {
  3: 'col-span-3 max-[1000px]:col-span-6',
  4: 'col-span-4 max-[1000px]:col-span-12',
  5: 'col-span-5 max-[1000px]:col-span-12',
  6: 'col-span-6',
  7: 'col-span-7 max-[1000px]:col-span-12',
  8: 'col-span-8 max-[1000px]:col-span-12',
  9: 'col-span-9 max-[1000px]:col-span-12',
  12: 'col-span-12',
}

export function Panel({
  title,
  sub,
  span = 12,
  twin,
  twinHeight,
  isTable = false,
  api,
  acts,
  className = '',
  children,
}: {
  title: string
  sub?: ReactNode
  /** Columns of the sheet; a direct child of `.sheet`. */
  span?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 12
  /** The plain table behind the panel; without it the two actions are left out. */
  twin?: TableTwin
  /** The height of the chart, kept when the table stands in for it. */
  twinHeight?: number
  /** The panel is already a table of the same rows: export only. */
  isTable?: boolean
  /** The path of the API, below /api/v1, that gives the same figures: for "Copy as curl". */
  api?: string
  /** Further actions, left of the two. */
  acts?: ReactNode
  className?: string
  children: ReactNode
}) {
  const [asTable, setAsTable] = useState(false)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const pointed = useRef(false)
  const canTurn = twin !== undefined && isTable !== true
  useKeys({
    t: () => {
      if (!canTurn || !pointed.current) return false
      setAsTable((shown) => shown !== true)
      return true
    },
  })
  return (
    <section
      className={`panel ${SPANS[span] ?? ''} ${className}`}
      aria-label={title}
      onPointerEnter={() => {
        pointed.current = true
      }}
      onPointerLeave={() => {
        pointed.current = false
      }}
    >
      <header>
        <h3>{title}</h3>
        {sub !== undefined && <span className="panel-sub">{sub}</span>}
        <span className="panel-acts">
          {acts}
          <span ref={setPlace} className="contents" />
          {canTurn && (
            <button
              type="button"
              className="panel-act"
              aria-pressed={asTable}
              aria-label={`Show ${title} as table`}
              title="Show as table"
              onClick={() => setAsTable((shown) => shown !== true)}
            >
              <Icon name="table" />
            </button>
          )}
          {twin !== undefined && <ExportMenu twin={twin} api={api} />}
        </span>
      </header>
      <PanelActsContext value={place}>
        <PanelBoundary title={title} height={twinHeight}>
          {asTable === true && twin !== undefined ? <TwinTable twin={twin} height={twinHeight} /> : children}
        </PanelBoundary>
      </PanelActsContext>
    </section>
  )
}
