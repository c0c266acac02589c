/** Whether a fault means that the disk has no room left: a file, the database, or a quota. */
export function isDiskFull(cause: unknown): boolean {
  for (let at: unknown = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = 'code' in at ? String(at.code) : ''
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL' || code === '53100') return true
    if (/database or disk is full|no space left on device/i.test(at.message)) return true
  }
  return false
}
