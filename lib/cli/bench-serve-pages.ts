/**
 * First-load kilobytes of each page without a browser: the HTML and every script, style and font that it names, as sent.
 * Owns: reading the tags. Invariant: bytes are counted as they came over the line, compressed; a file counts once a page.
 */
import { get } from 'node:http'

export interface PageWeight {
  page: string
  /** kilobytes (1,000 bytes) over the line */
  html: number
  scripts: number
  styles: number
  fonts: number
  total: number
}

interface Answer {
  bytes: number
  body: Buffer
  headers: Record<string, string | string[] | undefined>
  status: number
}

type Kind = 'scripts' | 'styles' | 'fonts'

/** What an HTML document, or the Link header in front of it, names to be loaded with it. */
export function filesOf(html: string, linkHeader = ''): { path: string; kind: Kind }[] {
  const found = new Map<string, Kind>()
  for (const [, path, rest] of linkHeader.matchAll(/<([^>]+)>([^<]*)/g)) {
    const kind = kindOf(rest ?? '')
    if (path !== undefined && kind !== null) found.set(path, kind)
  }
  for (const [tag] of html.matchAll(/<(?:script|link)\b[^>]*>/g)) {
    const source = /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&')
    const kind = kindOf(tag)
    if (source?.startsWith('/') === true && kind !== null) found.set(source, kind)
  }
  return [...found].map(([path, kind]) => ({ path, kind }))
}

function kindOf(tag: string): Kind | null {
  if (tag.startsWith('<script')) return 'scripts'
  const as = /\bas="([a-z]+)"/.exec(tag)?.[1]
  if (as === 'script') return 'scripts'
  if (as === 'font') return 'fonts'
  return as === 'style' || /\brel="stylesheet"/.test(tag) ? 'styles' : null
}

export async function weighPages(
  address: string,
  token: string,
  pages: readonly { page: string; path: string }[],
): Promise<PageWeight[]> {
  const cookie = await cookieOf(address, token)
  const sizes = new Map<string, number>()
  const sizeOf = async (path: string) => {
    const known = sizes.get(path)
    if (known !== undefined) return known
    const { bytes } = await fetched(`${address}${path}`, cookie)
    sizes.set(path, bytes)
    return bytes
  }
  const weights: PageWeight[] = []
  for (const { page, path } of pages) {
    const plain = await fetched(`${address}${path}`, cookie, 'identity')
    const sum = { html: (await fetched(`${address}${path}`, cookie)).bytes, scripts: 0, styles: 0, fonts: 0 }
    for (const file of filesOf(plain.body.toString('utf8'), String(plain.headers.link ?? '')))
      sum[file.kind] += await sizeOf(file.path)
    const kilo = (bytes: number) => bytes / 1000
    const { html, scripts, styles, fonts } = sum
    weights.push({
      page,
      html: kilo(html),
      scripts: kilo(scripts),
      styles: kilo(styles),
      fonts: kilo(fonts),
      total: kilo(html + scripts + styles + fonts),
    })
  }
  return weights
}

/** The start-up address answers with the cookie that pages are read with. */
export async function cookieOf(address: string, token: string): Promise<string> {
  const { headers } = await request(`${address}/?token=${encodeURIComponent(token)}`, {})
  const set = headers['set-cookie']
  const first = Array.isArray(set) ? set[0] : set
  if (first === undefined) throw new Error('The server gave no cookie for its token.')
  return first.split(';')[0] ?? ''
}

async function fetched(url: string, cookie: string, encoding = 'gzip'): Promise<Answer> {
  const answer = await request(url, { cookie, 'accept-encoding': encoding })
  if (answer.status !== 200) throw new Error(`${new URL(url).pathname} answered ${answer.status}.`)
  return answer
}

function request(url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const body = Buffer.concat(chunks)
        resolve({ bytes: body.length, body, headers: response.headers, status: response.statusCode ?? 0 })
      })
    }).once('error', reject)
  })
}
