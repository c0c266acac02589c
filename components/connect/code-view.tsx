/* Owns code to read and copy: mono, comments quieter, the lines a person adapts with a bar. "Copy" copies without the bar. */
import { CopyButton } from '@/components/ui/copy-button'

export interface CodeLine {
  text: string
  adapt: boolean
  comment: boolean
}

export function CodeView({
  label,
  lines,
  copy,
  height,
}: {
  label: string
  lines: readonly CodeLine[]
  /** what "Copy" copies; without it there is no button */
  copy?: string
  height?: number
}) {
  return (
    <div className="code-view">
      <section className="code" style={{ maxHeight: height }} aria-label={label}>
        <pre>
          {lines.map((line, i) => (
            <span
              key={`${String(i)} ${line.text}`}
              data-adapt={line.adapt ? '' : undefined}
              data-comment={line.comment ? '' : undefined}
            >
              {line.text === '' ? ' ' : line.text}
              {line.adapt && <i className="sr-only"> (yours to adapt)</i>}
            </span>
          ))}
        </pre>
      </section>
      {copy !== undefined && <CopyButton text={copy} />}
    </div>
  )
}
