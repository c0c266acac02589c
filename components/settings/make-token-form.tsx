'use client'
/* Owns making a token: name, scope, how long. The server says what is wrong with the name. */
import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field-error'
import { Segmented } from '@/components/ui/segmented'
import { reached } from '@/lib/client/reached'
import { SCOPES, type Scope } from '@/lib/contract/access'
import type { MakeToken } from '@/lib/contract/action'
import { type NewToken, VALID_FOR_WORDS, type ValidFor } from '@/lib/contract/token'

export function MakeTokenForm({ make, onMade }: { make: MakeToken; onMade: (token: NewToken) => void }) {
  const id = useId()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Scope>('report')
  const [validFor, setValidFor] = useState<ValidFor>('until revoked')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState<boolean>(false)
  const send = async () => {
    setBusy(true)
    const answer = await reached(make({ name, scope, validFor }))
    setBusy(false)
    if (answer.ok === false) return setError(answer.issues[0]?.message ?? answer.message)
    setError(null)
    setName('')
    onMade(answer.value)
  }
  return (
    <form
      className="flex flex-wrap items-end gap-x-3 gap-y-[10px] pt-[10px]"
      aria-label="Make a token"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <span className="field min-w-[150px] flex-1">
        <label className="field-label" htmlFor={id}>
          Name
        </label>
        <input
          id={id}
          className="input w-full"
          value={name}
          maxLength={60}
          autoComplete="off"
          placeholder="trainer, colleague or script"
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : `${id}-error`}
          onChange={(event) => {
            setName(event.target.value)
            setError(null)
          }}
        />
      </span>
      <span className="field">
        <span className="field-label" aria-hidden="true">
          Scope
        </span>
        <Segmented
          label="Scope"
          options={SCOPES.map((value) => ({ value, label: value }))}
          value={scope}
          onChange={setScope}
        />
      </span>
      <span className="field">
        <label className="field-label" htmlFor={`${id}-for`}>
          Valid for
        </label>
        <select
          id={`${id}-for`}
          className="input"
          value={validFor}
          onChange={(event) => {
            const chosen = VALID_FOR_WORDS.find((word) => word === event.target.value)
            if (chosen !== undefined) setValidFor(chosen)
          }}
        >
          {VALID_FOR_WORDS.map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      </span>
      <Button kind="primary" type="submit" disabled={busy === true || name.trim() === ''}>
        Make token
      </Button>
      <span className="w-full empty:hidden">
        <FieldError id={`${id}-error`}>{error}</FieldError>
      </span>
    </form>
  )
}
