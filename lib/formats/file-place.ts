/** What the path of a file says where its rows do not: names that stand for an environment, a model or a source. */
const ENDINGS = /\.(jsonl?|ndjson|txt|csv|tsv|parquet|ya?ml|zip|eval)$/i

/** "a/b/trials.json.gz" is "trials". */
export function stemOf(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? name
  return last.replace(/\.(gz|zst)$/i, '').replace(ENDINGS, '')
}

/** The folder that a file lies in, else its own stem. */
export function placeOf(name: string): string {
  const folder = name.split(/[\\/]/).at(-2)
  return folder !== undefined && folder !== '' && folder !== '.' ? folder : stemOf(name)
}
