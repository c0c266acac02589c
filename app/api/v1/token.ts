/**
 * Where a request carries its token: the Authorization header of a trainer, or the cookie of a page.
 * The cookie's name holds the port, since cookies of one host are shared between ports.
 */
export function cookieName(host: string | null): string {
  const port = host?.split(':').at(-1) ?? ''
  return `envsched-${/^\d+$/.test(port) ? port : '80'}`
}

export function bearerIn(request: Request): string | null {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
}

export function tokenIn(request: Request): string | null {
  const bearer = bearerIn(request)
  if (bearer !== null) return bearer
  const name = cookieName(request.headers.get('host'))
  for (const part of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=')
    if (key === name) return decoded(value.join('='))
  }
  return null
}

/** Anything may stand in a cookie: what cannot be decoded is no token of ours, and is looked up as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
