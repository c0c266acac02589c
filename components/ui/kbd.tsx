/* Owns how keys are written: one cap a key. */
export function Kbd({ keys, then = false }: { keys: readonly string[]; then?: boolean }) {
  return (
    <span className="inline-flex items-center gap-[3px]">
      {keys.map((key, i) => (
        <span key={key + String(i)} className="inline-flex items-center gap-[3px]">
          {then === true && i > 0 && <span className="text-11 text-ink-3">then</span>}
          <kbd>{key}</kbd>
        </span>
      ))}
    </span>
  )
}
