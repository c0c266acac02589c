/* Owns the sentence under a field that says what was wrong. */
export function FieldError({ id, children }: { id?: string; children: string | null | undefined }) {
  if (children === null || children === undefined || children === '') return null
  return (
    <span className="field-error" id={id} role="alert">
      {children}
    </span>
  )
}
