/* Owns one line for a terminal, with Copy. */
import { CopyButton } from './copy-button'

export function CommandLine({ command }: { command: string }) {
  return (
    <div className="command">
      <code>{command}</code>
      <CopyButton text={command} />
    </div>
  )
}
