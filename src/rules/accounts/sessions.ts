// Lifetime of browser sessions, and their cookie.
import { MS_PER_DAY } from '../primitives/days.ts'

/** Name of the cookie (specification, Authentication 3). */
const NAME = 'session'

/** An unused session expires after a week. */
export const SESSION_IDLE_MS = 7 * MS_PER_DAY

/** Every session expires after thirty days, even if it is used. */
export const SESSION_LIFETIME_MS = 30 * MS_PER_DAY

/** Maximum age of a session whose login authorizes its owner to delete an account without a password. */
export const RECENT_LOGIN_MS = 15 * 60_000

/** Maximum number of sessions per account. A further login ends the least recently used one. */
export const SESSIONS_MAX = 20

/** Minimum interval between two updates of a session's last use. */
export const LAST_SEEN_INTERVAL_MS = 5 * 60_000

/** Times that decide when a session expires, in epoch milliseconds. */
export type SessionTimes = { created_at: number; last_seen_at: number }

/** Returns when a session expires if it is not used again, in epoch milliseconds. */
export function sessionExpiry({ created_at, last_seen_at }: SessionTimes): number {
  return Math.min(created_at + SESSION_LIFETIME_MS, last_seen_at + SESSION_IDLE_MS)
}

export function isSessionActive(session: SessionTimes, now: number): boolean {
  return now < sessionExpiry(session)
}

/** Generates a session token of 256 random bits. */
export function generateSessionToken(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(TOKEN_BYTES)).toString('base64url')
}

/**
 * Parses the session token of a `Cookie` header. Returns undefined if the token is missing or malformed, or if there
 * are two, because only one can be the browser's own.
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

/** Formats the `Set-Cookie` header that starts a session. */
export function sessionCookie(token: string, secure: boolean): string {
  return cookie(token, SESSION_LIFETIME_MS / 1000, secure)
}

/** Formats the `Set-Cookie` header that ends a session. */
export function expiredSessionCookie(secure: boolean): string {
  return cookie('', 0, secure)
}

function cookie(value: string, seconds: number, secure: boolean): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
  return `${NAME}=${value}; ${attributes}${secure ? '; Secure' : ''}`
}

const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

// Networks from which an account has logged in before, which have their own allowance of attempts.

/** Maximum number of networks per account; a further one replaces the least recently used one. */
export const LOGIN_PLACES_MAX = 10

/** Returns the text whose keyed hash is stored for a network, which differs between accounts. */
export function loginPlaceText(accountId: number, network: string): string {
  return `${accountId} ${network}`
}
