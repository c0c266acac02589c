/* Owns the inside of a tooltip: a title, labelled numbers, and how they are computed. */
import { Fragment } from 'react'

export function TipList({
  title,
  rows,
  computed,
}: {
  title: string
  rows: readonly (readonly [string, string])[]
  computed?: string
}) {
  return (
    <>
      <b className="font-medium">{title}</b>
      <dl>
        {rows.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      {computed !== undefined && <p className="mt-[7px] text-ink-3">{computed}</p>}
    </>
  )
}
