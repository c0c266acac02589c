/** The calls of imports. */
import { z } from 'zod'
import { type Call, CSV, get, patch, post, remove, table } from './call'
import { mappingPreview } from './column-mapping'
import {
  importJob,
  importPatch,
  importPreview,
  importQuery,
  importResume,
  skippedLine,
  skippedQuery,
} from './import-job'
import { listOf } from './page'

export const IMPORT_CALLS: Call[] = [
  post('/imports', 'operate', 'Import files as multipart form data, each as "file"', importJob, {
    query: importQuery,
    form: z.object({
      file: z.array(z.string()).min(1),
      name: z.string().optional(),
      replay: z.enum(['0', '1']).optional(),
      mapping: z.string().optional(),
    }),
    status: 202,
  }),
  get('/imports', 'view', 'Imports, newest first', listOf(importJob), table),
  get('/imports/{import}', 'view', 'Progress of an import', importJob),
  patch('/imports/{import}', 'operate', 'Say whether a replay follows a running import', importJob, {
    body: importPatch,
  }),
  remove('/imports/{import}', 'operate', 'Stop an import; what is stored stays, and so do its files', importJob),
  post(
    '/imports/{import}/resume',
    'operate',
    'Go on with a stopped import, or one that waits for a mapping',
    importJob,
    {
      body: importResume,
      status: 202,
    },
  ),
  post(
    '/imports/{import}/preview',
    'view',
    'First rows of a waiting import as a mapping would read them',
    mappingPreview,
    {
      body: importPreview,
    },
  ),
  post('/imports/{import}/discard', 'operate', 'Drop the files that a stopped import keeps', importJob),
  get('/imports/{import}/skipped', 'view', 'Lines that were left out, one by one', listOf(skippedLine), {
    query: skippedQuery,
    files: CSV,
  }),
]
