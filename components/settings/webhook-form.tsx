'use client'
/* Owns the address and secret that are being typed. The server says what is wrong with them. */
import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field-error'

/** `set` answers null, or what is wrong. */
export function WebhookForm({
  url,
  set,
}: {
  url: string
  set: (url: string, secret: string) => Promise<string | null>
}) {
  const id = useId()
  const [typed, setTyped] = useState(url)
  const [secret, setSecret] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState<boolean>(false)
  const send = async () => {
    setBusy(true)
    setError(await set(typed.trim(), secret))
    setBusy(false)
  }
  return (
    <form
      className="flex flex-wrap items-end gap-x-3 gap-y-[10px] pt-[10px]"
      aria-label="Set the webhook"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <span className="field min-w-[200px] flex-[2]">
        <label className="field-label" htmlFor={id}>
          Address
        </label>
        <input
          id={id}
          className="input w-full"
          type="text"
          inputMode="url"
          value={typed}
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
          placeholder="https://hooks.example.org/envsched"
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : `${id}-error`}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(null)
          }}
        />
      </span>
      <span className="field min-w-[150px] flex-1">
        <label className="field-label" htmlFor={`${id}-secret`}>
          Secret
        </label>
        <input
          id={`${id}-secret`}
          className="input w-full"
          type="password"
          value={secret}
          maxLength={200}
          autoComplete="off"
          placeholder="16 signs or more, or one is made"
          onChange={(event) => {
            setSecret(event.target.value)
            setError(null)
          }}
        />
      </span>
      <Button kind="primary" type="submit" disabled={busy === true || typed.trim() === ''}>
        Set
      </Button>
      <span className="w-full empty:hidden">
        <FieldError id={`${id}-error`}>{error}</FieldError>
      </span>
    </form>
  )
}
