/** A file of a source, wherever it lies. Invariant: each `open` and `read` begins anew; the bytes do not change meanwhile. */
export interface SourceFile {
  /** path inside the source or plain name; folders tell environments apart where files do not */
  name: string
  /** length as on disk; missing where it is not known before the end */
  bytes?: number
  /** bytes as they lie on disk, from the start; called a few times at most */
  open(): AsyncIterable<Uint8Array>
  /** bytes from `from` up to, without, `to`; missing where the source can only be read from its start */
  read?(from: number, to: number): Promise<Uint8Array>
}
