'use client'
/* Owns the way in for files: drop or choose, send, hand over the job that began. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMayOperate } from '@/components/shell/use-may-operate'
import { DropArea } from '@/components/ui/drop-area'
import { FieldError } from '@/components/ui/field-error'
import { importQuery, type NamedUpload, startImport } from '@/lib/client/import-job'
import { formatCount, formatNumber } from '@/lib/view/format'

function sending(files: readonly NamedUpload[]): string {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  return `Sending ${formatCount(files.length, 'file')}, ${formatNumber('bytes', bytes, 'n/a')}`
}

export function ImportDrop({
  replay,
  ask,
  onStarted,
}: {
  replay: boolean
  /** stop at the columns, also of rows that are known */
  ask: boolean
  onStarted: (id: string) => void
}) {
  const client = useQueryClient()
  const mayOperate = useMayOperate()
  const upload = useMutation({
    mutationFn: (files: readonly NamedUpload[]) => startImport(files, { replay, ask }),
    onSuccess: (started) => {
      client.setQueryData(importQuery(started.id).queryKey, started)
      void client.invalidateQueries({ queryKey: ['imports'] })
      onStarted(started.id)
    },
  })
  if (mayOperate === false)
    return <p className="inset p-3 text-12 text-ink-2">A token with the scope operate may import files.</p>
  return (
    <>
      <DropArea
        title={upload.isPending ? sending(upload.variables) : 'Drop history files here'}
        disabled={upload.isPending}
        onFiles={(files) => {
          if (files.length > 0) upload.mutate(files)
        }}
      >
        Files of the trainers and benchmarks named beside, or any table of rollouts: JSON, JSONL, CSV, Parquet, YAML;
        ZIP, gzip, zstd.
      </DropArea>
      <FieldError>{upload.error?.message}</FieldError>
    </>
  )
}
