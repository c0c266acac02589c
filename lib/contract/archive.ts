/**
 * What stands in `manifest.json` of a run's archive: what it holds, so that a reader can refuse it before it writes a row.
 */
import { z } from 'zod'

/** Raised when what an archive holds changes so that older readers would take it wrongly. */
export const ARCHIVE_FORM = 1
export const ARCHIVE_MANIFEST = 'manifest.json'
/** what an import of one says it is */
export const ARCHIVE_FORMAT = 'archive of a run'

export const archiveManifest = z.object({
  archive: z.literal('envsched run'),
  form: z.number().int(),
  /** the version of EnvSched that wrote it */
  version: z.string(),
  exportedAt: z.string(),
  run: z.object({ id: z.string(), name: z.string() }),
  taskSet: z.object({ id: z.string(), name: z.string(), fingerprint: z.string() }),
  /** rows by table */
  tables: z.record(z.string(), z.number().int()),
})
export type ArchiveManifest = z.infer<typeof archiveManifest>
