'use client'
/* Owns the second way in: the file to fetch, and where the rest is said. */
import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { serverQuery } from '@/lib/client/run'
import { downloadLine } from '@/lib/view/connect-lines'
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
      <p className="text-ink-2">
        Then ask for a batch and report what came back: about ten lines in any training loop.
      </p>
      <ButtonLink className="mt-[10px]" href="/connect">
        Connect a trainer
      </ButtonLink>
      <p className="mt-[10px] text-12 text-ink-3">
        Not ready to let it choose? In shadow mode your trainer only reports, and you see what would have been chosen.
        If this server cannot be reached, a trainer goes on with uniform choice.
      </p>
    </>
  )
}
