'use client'
/* Owns revoking a token: what follows is said first, the worst before the rest. */
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FieldError } from '@/components/ui/field-error'
import { useToast } from '@/components/ui/toast'
import { reached } from '@/lib/client/reached'
import type { RevokeToken } from '@/lib/contract/action'
import type { TokenRow } from '@/lib/contract/token'
import { revokeWords } from '@/lib/view/settings-words'

export function RevokeDialog({
  token,
  now,
  revoke,
  onClose,
  onRevoked,
}: {
  token: TokenRow | null
  now: number | null
  revoke: RevokeToken
  onClose: () => void
  onRevoked: (token: TokenRow) => void
}) {
  const toast = useToast()
  const [busy, setBusy] = useState<boolean>(false)
  const [error, setError] = useState<string | null>(null)
  const close = () => {
    setError(null)
    onClose()
  }
  const send = async (leaving: TokenRow) => {
    setBusy(true)
    const answer = await reached(revoke(leaving.id, leaving.lastToOperate))
    setBusy(false)
    if (answer.ok === false) return setError(answer.message)
    toast({ tone: 'ok', text: `${leaving.name} is revoked: its next call is refused.` })
    onRevoked(leaving)
    close()
  }
  return (
    <Dialog open={token !== null} onClose={close} title={`Revoke ${token?.name ?? ''}?`}>
      {token !== null && (
        <>
          <ul className="mt-[6px] mb-3 grid gap-2 text-ink-2">
            {revokeWords(token, now).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            <li>A revoked token cannot be taken back; its name stays in the audit.</li>
          </ul>
          <FieldError>{error}</FieldError>
          <div className="mt-2 flex justify-end gap-2">
            <Button onClick={close}>Keep it</Button>
            <Button kind="danger" disabled={busy === true} onClick={() => void send(token)}>
              {token.lastToOperate ? 'Revoke it anyway' : 'Revoke'}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
