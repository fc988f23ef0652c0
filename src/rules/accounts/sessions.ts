// How long a browser stays logged in, and how its cookie is written.

import { MS_PER_DAY } from '../primitives/days.ts'

/** The cookie's name (specification, Authentication 3). */
const NAME = 'session'

/** A session that is not used ends after a week. */
export const SESSION_IDLE_MS = 7 * MS_PER_DAY

/** Every session ends after thirty days, however much it is used. */
export const SESSION_LIFETIME_MS = 30 * MS_PER_DAY

/** Sessions of one account; with another one, the one that is longest unused ends. */
export const SESSIONS_MAX = 20

/** A session's last use is written down at most this often. */
export const LAST_SEEN_INTERVAL_MS = 5 * 60_000

/** What of a session decides whether it still holds; epoch milliseconds. */
export type SessionTimes = { created_at: number; last_seen_at: number }

/** When a session ends if nobody uses it any more, epoch milliseconds. */
export function sessionExpiry({ created_at, last_seen_at }: SessionTimes): number {
  return Math.min(created_at + SESSION_LIFETIME_MS, last_seen_at + SESSION_IDLE_MS)
}

export function isSessionActive(session: SessionTimes, now: number): boolean {
  return now < sessionExpiry(session)
}

/** A session's token: 256 random bits. */
export function generateSessionToken(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(TOKEN_BYTES)).toString('base64url')
}

/**
 * The token in a `Cookie` header. Undefined where there is none, where it cannot be one, and where
 * there are two: which of them is the browser's own nobody can tell.
 */
export function parseSessionToken(cookies: string | null): string | undefined {
  const tokens = (cookies ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1))
  const [token] = tokens
  return tokens.length === 1 && token !== undefined && TOKEN.test(token) ? token : undefined
}

/** The `Set-Cookie` header that begins a session. */
export function sessionCookie(token: string, secure: boolean): string {
  return cookie(token, SESSION_LIFETIME_MS / 1000, secure)
}

/** The `Set-Cookie` header that ends it. */
export function expiredSessionCookie(secure: boolean): string {
  return cookie('', 0, secure)
}

function cookie(value: string, seconds: number, secure: boolean): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
  return `${NAME}=${value}; ${attributes}${secure ? '; Secure' : ''}`
}

const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/
