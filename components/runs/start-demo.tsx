'use client'
/* Owns the button that starts the demo run and leads to its first batch; where the token may not start one, the command that does. */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { tabPath } from '@/components/shell/run-tabs'
import { useMayOperate } from '@/components/shell/use-may-operate'
import { Button } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { useToast } from '@/components/ui/toast'
import { reached } from '@/lib/client/reached'
import type { StartDemo } from '@/lib/contract/action'

export const DEMO_WORDS =
  'A dozen tool environments and some 600 tasks on this machine. A small policy learns while you watch; nothing is downloaded.'

export function StartDemoButton({ startDemo, primary = false }: { startDemo: StartDemo; primary?: boolean }) {
  const router = useRouter()
  const client = useQueryClient()
  const toast = useToast()
  const [busy, start] = useTransition()
  if (useMayOperate() === false) {
    return (
      <div className="mt-[10px]">
        <CommandLine command="npm run demo" />
      </div>
    )
  }
  return (
    <div className="mt-[10px] flex flex-wrap items-center gap-x-2 gap-y-1">
      <Button
        kind={primary === true ? 'primary' : 'default'}
        icon={busy === true ? 'clock' : 'play'}
        disabled={busy}
        onClick={() =>
          start(async () => {
            const answer = await reached(startDemo())
            if (answer.ok === false) {
              toast({ tone: 'bad', text: answer.message })
              return
            }
            await client.invalidateQueries({ queryKey: ['runs'] })
            router.push(tabPath(answer.value.run, 'batch'))
          })
        }
      >
        {busy === true ? 'Starting the demo run' : 'Start the demo run'}
      </Button>
      <span className="text-12 text-ink-3">60 policies, about 4 min</span>
    </div>
  )
}
