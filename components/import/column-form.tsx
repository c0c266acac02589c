'use client'
/* Owns what a person says of columns that nobody knows: one choice a word of ours, first rows as they would be read, going on.
   Invariant: what is shown as read was read by the server with this very mapping. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field-error'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState, NothingState } from '@/components/ui/panel-state'
import { Sheet } from '@/components/ui/sheet'
import { cancelImport, discardImport, importQuery, previewQuery, resumeImport } from '@/lib/client/import-job'
import type { ColumnMapping, ImportTable, MappedRow } from '@/lib/contract/column-mapping'
import type { ImportJob } from '@/lib/contract/import-job'
import { formatCount } from '@/lib/view/format'
import { type MappedWord, mappedWords, mappingGap, mappingOutcome, withColumn } from '@/lib/view/import-columns'

const CONSTANT = '='
const FIELD = 'input w-full min-w-0'

function Choice({
  word,
  table,
  from,
  onChange,
}: {
  word: MappedWord
  table: ImportTable
  from: string | null
  onChange: (from: string | null) => void
}) {
  const constant = from?.startsWith(CONSTANT) === true
  const column = table.columns.find(({ name }) => name === from)
  return (
    <tr>
      <td className="align-top!">
        <b className="font-medium">{word.title}</b>
        <span className="why">{word.note}</span>
      </td>
      <td className="align-top!">
        <select
          className={FIELD}
          aria-label={`Column of the ${word.title}`}
          value={constant ? CONSTANT : (from ?? '')}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        >
          <option value="">none</option>
          <option value={CONSTANT}>one for all rows</option>
          {table.columns.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {constant && (
          <input
            className={`${FIELD} mt-1`}
            aria-label={`The ${word.title} of all rows`}
            value={from?.slice(1) ?? ''}
            maxLength={200}
            onChange={({ target }) => onChange(`${CONSTANT}${target.value}`)}
          />
        )}
      </td>
      <td className="align-top! wrap-anywhere text-12 text-ink-2">
        {column === undefined ? (
          <span className="unit">{constant ? 'n/a' : ''}</span>
        ) : column.examples.length === 0 ? (
          <span className="unit">empty in the first rows</span>
        ) : (
          column.examples.slice(0, 2).join(' · ')
        )}
      </td>
    </tr>
  )
}

function Cell({ value }: { value: MappedRow['reward'] }) {
  return value === null ? <span className="unit">missing</span> : String(value)
}

function Preview({ id, mapping }: { id: string; mapping: ColumnMapping }) {
  const { data, error, refetch } = useQuery(previewQuery(id, mapping))
  if (data === undefined)
    return error === null ? (
      <LoadingState height={HEIGHT} />
    ) : (
      <ErrorState height={HEIGHT} onRetry={() => void refetch()}>
        {error.message}
      </ErrorState>
    )
  if (data.rows.length === 0) return <NothingState height={HEIGHT} title="The first rows are not kept any more" />
  return (
    <div className="tbl-scroll" style={{ minHeight: HEIGHT }}>
      <table className="tbl" data-rows="small" aria-label="First rows as they would be read">
        <thead>
          <tr>
            <th scope="col">environment</th>
            <th scope="col">task</th>
            <th scope="col" className="num">
              reward
            </th>
            <th scope="col">version</th>
            <th scope="col">status</th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row, place) => (
            // rows have no names of their own; their order is the file's
            <tr key={`${String(place)} ${row.task ?? ''}`}>
              <td className="wrap-anywhere">
                <Cell value={row.environment} />
              </td>
              <td className="wrap-anywhere">
                {row.problem === null ? <Cell value={row.task} /> : <span className="text-bad">{row.problem}</span>}
              </td>
              <td className="num">
                <Cell value={row.reward} />
              </td>
              <td>{row.policyVersion ?? <span className="unit">one for all</span>}</td>
              <td>{row.status?.replaceAll('_', ' ') ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const HEIGHT = 170

export function ColumnForm({
  job,
  table,
  mayOperate,
  onClose,
}: {
  job: ImportJob
  table: ImportTable
  mayOperate: boolean
  onClose: () => void
}) {
  const client = useQueryClient()
  const [mapping, setMapping] = useState<ColumnMapping>(table.guess)
  const gap = mappingGap(mapping)
  const act = useMutation({
    mutationFn: (what: 'resume' | 'discard') =>
      what === 'resume' ? resumeImport(job.id, mapping) : cancelImport(job.id).then(() => discardImport(job.id)),
    onSuccess: (next) => {
      client.setQueryData(importQuery(job.id).queryKey, next)
      void client.invalidateQueries({ queryKey: ['imports'] })
    },
  })
  return (
    <Sheet>
      <Panel
        span={7}
        title="What the columns are"
        sub={`${formatCount(table.columns.length, 'column')} in ${table.file}`}
        acts={
          <Button size="small" kind="quiet" onClick={onClose}>
            Import more files
          </Button>
        }
      >
        <table className="tbl table-fixed" data-rows="two" aria-label="What the columns are">
          <thead>
            <tr>
              <th scope="col">here</th>
              <th scope="col">in the file</th>
              <th scope="col">for example</th>
            </tr>
          </thead>
          <tbody>
            {mappedWords().map((word) => (
              <Choice
                key={word.word}
                word={word}
                table={table}
                from={mapping[word.word] ?? null}
                onChange={(from) => setMapping(withColumn(mapping, word.word, from))}
              />
            ))}
          </tbody>
        </table>
      </Panel>
      <Panel span={5} title="As it would be read" sub="first rows" api={`/imports/${job.id}/preview`} isTable>
        {gap === null ? (
          <Preview id={job.id} mapping={mapping} />
        ) : (
          <NothingState height={HEIGHT} title="Not enough yet">
            {gap}
          </NothingState>
        )}
        <p className="mt-3 text-12 text-ink-2">{mappingOutcome(mapping)}</p>
        {mayOperate && (
          <p className="mt-2 flex gap-2">
            <Button kind="primary" disabled={gap !== null || act.isPending} onClick={() => act.mutate('resume')}>
              Import with these columns
            </Button>
            <Button disabled={act.isPending} onClick={() => act.mutate('discard')}>
              Discard
            </Button>
          </p>
        )}
        <FieldError>{act.error?.message}</FieldError>
      </Panel>
    </Sheet>
  )
}
