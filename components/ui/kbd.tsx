/* Owns how keys are written: one cap a key. */
export function Kbd({ keys, sequence = false }: { keys: readonly string[]; sequence?: boolean }) {
  return (
    <span className="inline-flex items-center gap-[3px]">
      {keys.map((key, i) => (
        <span key={key + String(i)} className="inline-flex items-center gap-[3px]">
          {sequence === true && i > 0 && <span className="text-11 text-ink-3">then</span>}
          <kbd>{key}</kbd>
        </span>
      ))}
    </span>
  )
}
