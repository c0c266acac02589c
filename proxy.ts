/**
 * In front of every page: the token of the start-up address becomes a cookie and leaves the address bar, and each page
 * gets a content security policy with a nonce of its own. Must never know: whether the token is valid (the API says so).
 */
import { type NextRequest, NextResponse } from 'next/server'
import { cookieName } from '@/app/api/v1/token'

export const config = { matcher: ['/((?!api/|_next/|healthz|metrics|envsched\\.py|recipes/|.*\\.(?:svg|png|ico)$).*)'] }

export function proxy(request: NextRequest): NextResponse {
  const token = request.nextUrl.searchParams.get('token')
  if (token !== null) return withCookie(request, token)
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64')
  const policy = policyFor(nonce)
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  response.headers.set('referrer-policy', 'no-referrer')
  response.headers.set('x-content-type-options', 'nosniff')
  return response
}

function withCookie(request: NextRequest, token: string): NextResponse {
  const clean = new URL(
    request.nextUrl.pathname + request.nextUrl.search,
    `${request.nextUrl.protocol}//${request.headers.get('host') ?? 'localhost'}`,
  )
  clean.searchParams.delete('token')
  const response = new NextResponse(null, {
    status: 303,
    headers: { location: clean.toString(), 'referrer-policy': 'no-referrer' },
  })
  response.cookies.set(cookieName(request.headers.get('host')), token, {
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    maxAge: 31_536_000,
  })
  return response
}

/** Styles may be inline (marks are drawn with them); scripts only with the nonce. Development needs eval for its refresh. */
function policyFor(nonce: string): string {
  const evaluated = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : ''
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluated}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
