/**
 * Long texts on disk while an import reads: one file that only grows, read back anywhere.
 * Invariant: memory of eight bytes a text and one buffer. Cost: one write for each 256 kB, one read for each `get`.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import type { Scratch } from '@/lib/formats/scratch'

const BUFFER = 2 ** 18
const FIRST_PLACES = 2 ** 12

export class FileScratch implements Scratch {
  private readonly file: number
  /** where each text begins, and where the last one ends */
  private starts = new Float64Array(FIRST_PLACES)
  private count = 0
  private readonly buffer = Buffer.allocUnsafe(BUFFER)
  private held = 0
  private written = 0

  /** Throws the cause where the file cannot be made. */
  constructor(private readonly path: string) {
    this.file = openSync(path, 'w+')
  }

  put(text: string): number {
    const bytes = Buffer.from(text)
    if (this.held + bytes.length > BUFFER) this.flush()
    if (bytes.length > BUFFER) {
      this.write(bytes)
    } else {
      bytes.copy(this.buffer, this.held)
      this.held += bytes.length
    }
    if (this.count + 2 > this.starts.length) {
      const more = new Float64Array(this.starts.length * 2)
      more.set(this.starts)
      this.starts = more
    }
    this.count += 1
    this.starts[this.count] = this.written + this.held
    return this.count - 1
  }

  get(at: number): string {
    const [from, to] = [this.starts[at] ?? 0, this.starts[at + 1] ?? 0]
    if (to > this.written) this.flush()
    const bytes = Buffer.allocUnsafe(to - from)
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.file, bytes, done, bytes.length - done, from + done)
      if (read === 0) throw new Error('The scratch file of an import was cut by another program.')
      done += read
    }
    return bytes.toString('utf8')
  }

  remove(): void {
    closeSync(this.file)
    rmSync(this.path, { force: true })
  }

  private flush(): void {
    this.write(this.buffer.subarray(0, this.held))
    this.held = 0
  }

  private write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.file, bytes, done, bytes.length - done, this.written + done)
    this.written += bytes.length
  }
}
