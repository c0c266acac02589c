'use client'
/* Owns the three lines for the shell: address, token, client. A token is made on the click, and its text stays in this page only. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useId, useState, useTransition } from 'react'
import { useOrigin } from '@/components/runs/use-origin'
import { tabPath } from '@/components/shell/run-tabs'
import { useMayOperate } from '@/components/shell/use-may-operate'
import { Button } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { CopyButton } from '@/components/ui/copy-button'
import { FieldError } from '@/components/ui/field-error'
import { Panel } from '@/components/ui/panel'
import { serverQuery } from '@/lib/client/run'
import { tokensQuery } from '@/lib/client/settings'
import type { MakeToken } from '@/lib/contract/action'
import type { NewToken } from '@/lib/contract/token'
import { downloadLine, freeTokenName, serverUrl } from '@/lib/view/connect-lines'
import { hiddenToken } from '@/lib/view/recipes'

function TokenLine({ made }: { made: NewToken }) {
  const [shown, setShown] = useState<boolean>(false)
  return (
    <div className="command">
      <code>export ENVSCHED_TOKEN={shown === true ? made.token : hiddenToken(made.token)}</code>
      <Button size="small" kind="quiet" aria-pressed={shown} onClick={() => setShown(shown !== true)}>
        {shown === true ? 'Hide' : 'Show'}
      </Button>
      <CopyButton text={`export ENVSCHED_TOKEN=${made.token}`} />
    </div>
  )
}

function MakeOne({ makeToken, onMade }: { makeToken: MakeToken; onMade: (made: NewToken) => void }) {
  const id = useId()
  const { data: tokens, isPending } = useQuery(tokensQuery())
  const [typed, setName] = useState<string | null>(null)
  const name = typed ?? freeTokenName(tokens?.items.map((token) => token.name) ?? [])
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, start] = useTransition()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        start(async () => {
          const answer = await makeToken({ name, scope: 'report', validFor: 'until revoked' }).catch(() => null)
          if (answer === null) setRefusal('The server cannot be reached; no token was made. Try again.')
          else if (answer.ok === false) setRefusal(answer.issues[0]?.message ?? answer.message)
          else onMade(answer.value)
        })
      }}
    >
      <div className="command">
        <code>export ENVSCHED_TOKEN=</code>
        <label className="text-12 text-ink-2 max-sm:sr-only" htmlFor={id}>
          named
        </label>
        <input
          id={id}
          className="input h-6! w-28 max-sm:w-20"
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
        />
        <Button
          size="small"
          type="submit"
          disabled={busy === true || name.trim() === '' || (typed === null && isPending)}
        >
          {busy === true ? 'Making it' : 'Make a token'}
        </Button>
      </div>
      <FieldError>{refusal}</FieldError>
    </form>
  )
}

export function AddressPanel({
  makeToken,
  made,
  onMade,
  run,
}: {
  makeToken: MakeToken
  /** of this visit; the recipe below holds it, too */
  made: NewToken | null
  onMade: (made: NewToken) => void
  run: string | null
}) {
  const { data } = useQuery(serverQuery())
  const origin = useOrigin()
  const mayOperate = useMayOperate()
  const address = origin ?? data?.address ?? '127.0.0.1:4310'
  const tokens = run === null ? 'Tokens are listed on the Settings of a run.' : null
  return (
    <Panel title="1. Address and token" sub="in the shell that starts the trainer">
      <div className="grid grid-cols-1 gap-[6px]">
        <CommandLine command={`export ENVSCHED_URL=${serverUrl(address)}`} />
        {made !== null && <TokenLine made={made} />}
        {made === null && mayOperate !== false && <MakeOne makeToken={makeToken} onMade={onMade} />}
        {made === null && mayOperate === false && (
          <CommandLine command="export ENVSCHED_TOKEN=the token you were given" />
        )}
        <CommandLine command={downloadLine(address)} />
      </div>
      <p className="mt-[6px] min-h-8 text-12 text-ink-3">
        {made === null
          ? 'A token of scope report can ask and report, not steer or delete. It is made when you press, and shown here once. '
          : `Token ${made.name}, scope report: it can ask and report, not steer or delete. It is shown until you leave this page. `}
        {tokens ?? <Link href={tabPath(run ?? '', 'settings')}>Tokens</Link>}
      </p>
    </Panel>
  )
}
