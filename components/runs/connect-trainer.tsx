'use client'
/* Owns how a trainer is connected, in two parts to copy: the file, the loop. */
import { useQuery } from '@tanstack/react-query'
import { CommandLine } from '@/components/ui/command-line'
import { CopyButton } from '@/components/ui/copy-button'
import { serverQuery } from '@/lib/client/run'
import { downloadLine, LOOP_LINES, serverUrl } from '@/lib/view/connect-lines'
import { useOrigin } from './use-origin'

export function ConnectTrainer() {
  const { data } = useQuery(serverQuery())
  const origin = useOrigin()
  const address = origin ?? data?.address ?? '127.0.0.1:4310'
  return (
    <>
      <p className="text-ink-2">One file, Python standard library only:</p>
      <div className="my-2">
        <CommandLine command={downloadLine(address)} />
      </div>
      <p className="text-ink-2">Then ask for a batch and report what came back:</p>
      <div className="code mt-2">
        <pre>{LOOP_LINES}</pre>
        <CopyButton text={LOOP_LINES} />
      </div>
      <p className="mt-2 text-12 text-ink-3">
        <code>url</code> is {serverUrl(address)}, <code>token</code> the one in the address printed at start. If this
        server cannot be reached, the trainer goes on with uniform choice.
      </p>
    </>
  )
}
