/** Runs python3 with the client on its path, in a folder of its own; the last line that it prints is JSON. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export const publicFolder = path.resolve(import.meta.dirname, '../../public')

export const pythonMissing = (() => {
  try {
    execFileSync('python3', ['--version'])
    return false
  } catch {
    console.log('python3 is not there: the tests of the Python client are skipped.')
    return true
  }
})()

export const newFolder = () => mkdtempSync(path.join(tmpdir(), 'envsched-python-'))

export interface PythonResult {
  code: number | null
  out: string
  err: string
}

export function runPython(args: string[], folder: string, env: Record<string, string> = {}): Promise<PythonResult> {
  const child = spawn('python3', args, {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: publicFolder, PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  return new Promise((done) => child.on('close', (code) => done({ code, out, err })))
}

const PRELUDE = `
import json, sys, time
from envsched import *
SET = {"name": "s", "environments": [{"key": "e"}], "tasks": [{"environment": "e", "key": str(i), "payload": i} for i in range(12)]}
def show(**values): print(json.dumps(values))
`

/** Runs the code after the prelude with `args` as sys.argv[1:]; throws what it wrote to stderr when it fails. */
export async function python<T>(code: string, args: string[], folder = newFolder()): Promise<T> {
  const result = await runPython(['-c', PRELUDE + code, ...args], folder)
  if (result.code !== 0) throw new Error(result.err)
  return JSON.parse(result.out.trim().split('\n').at(-1) ?? '') as T
}
