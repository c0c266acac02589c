'use client'
/* Owns the way in for files: drop, upload, then the progress of the job in the address. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useViewParam } from '@/components/shell/use-view-param'
import { DropArea } from '@/components/ui/drop-area'
import { FieldError } from '@/components/ui/field-error'
import { importQuery, startImport } from '@/lib/client/import-job'
import type { StartRun } from '@/lib/contract/action'
import { ImportProgress } from './import-progress'

export function ImportFiles({ startRun }: { startRun: StartRun }) {
  const [job, setJob] = useViewParam('import')
  const client = useQueryClient()
  const upload = useMutation({
    mutationFn: startImport,
    onSuccess: (started) => {
      client.setQueryData(importQuery(started.id).queryKey, started)
      setJob(started.id)
    },
  })
  if (job !== null) return <ImportProgress id={job} startRun={startRun} onClose={() => setJob(null)} />
  return (
    <>
      <DropArea
        title={upload.isPending ? 'Sending the files' : 'Drop history files here'}
        disabled={upload.isPending}
        onFiles={(files) => {
          if (files.length > 0) upload.mutate(files)
        }}
      >
        tau-bench, tau2-bench, BFCL, ACEBench or plain rollouts; JSONL or JSON.
      </DropArea>
      <FieldError>{upload.error?.message}</FieldError>
      <p className="mt-[10px] text-12 text-ink-3">
        Files stay on this machine. Rollouts become a run in shadow mode: what was predicted before each group came
        back.
      </p>
    </>
  )
}
