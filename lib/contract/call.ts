/**
 * One call of the API: its path, scope, query, body and answer. Must never know: which calls there are.
 */
import type { z } from 'zod'
import { listQuery } from './page'

export interface Call {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  summary: string
  scope: 'view' | 'report' | 'operate'
  query?: z.ZodObject
  body?: z.ZodType
  /** what else the body may be: lines of these, or a form */
  lines?: z.ZodType
  form?: z.ZodType
  answer: z.ZodType
  /** of the answer, 200 unless it says otherwise */
  status?: 202
  /** what it answers beside JSON, or in its place */
  files?: { types: readonly string[]; only: boolean }
}

/** an answer that is also CSV */
export const CSV = { types: ['text/csv'], only: false }
export const table = { query: listQuery, files: CSV }

type More = Omit<Call, 'method' | 'path' | 'summary' | 'scope' | 'answer'>
const maker =
  (method: Call['method']) =>
  (path: string, scope: Call['scope'], summary: string, answer: z.ZodType, more: More = {}): Call => ({
    method,
    path,
    scope,
    summary,
    answer,
    ...more,
  })
export const get = maker('get')
export const post = maker('post')
export const patch = maker('patch')
export const put = maker('put')
export const remove = maker('delete')
