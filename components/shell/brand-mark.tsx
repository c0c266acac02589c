/* Owns the mark: three tasks and two relations. */
export function BrandMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" className="flex-none">
      <circle cx="4" cy="5" r="2.5" fill="currentColor" />
      <circle cx="13.5" cy="4" r="1.8" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <circle cx="9" cy="14" r="2.5" fill="currentColor" />
      <path d="M5 7.2 7.8 12M6.4 4.8 11.6 4.2" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  )
}
