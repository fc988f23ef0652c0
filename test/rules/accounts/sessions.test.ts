import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  expiredSessionCookie,
  generateSessionToken,
  isSessionActive,
  LAST_SEEN_INTERVAL_MS,
  parseSessionToken,
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
  SESSIONS_MAX,
  sessionCookie,
  sessionExpiry,
} from '#rules/accounts/sessions.ts'

const DAY_MS = 86_400_000
const TOKEN = `${'aB3-_'.repeat(8)}xyz`

describe('a session', () => {
  test('expires after seven days without use, and after thirty days in any case', () => {
    expect([SESSION_IDLE_MS, SESSION_LIFETIME_MS]).toEqual([7 * DAY_MS, 30 * DAY_MS])
    expect([SESSIONS_MAX, LAST_SEEN_INTERVAL_MS]).toEqual([20, 300_000])
  })

  test.each([
    [0, 0, 7],
    [0, 1, 8],
    [0, 22, 29],
    [0, 23, 30],
    [0, 24, 30],
    [0, 29, 30],
    [5, 5, 12],
  ])('started on day %i and last used on day %i expires on day %i', (begun, used, end) => {
    const session = { created_at: begun * DAY_MS, last_seen_at: used * DAY_MS }
    expect(sessionExpiry(session)).toBe(end * DAY_MS)
    expect(isSessionActive(session, end * DAY_MS - 1)).toBe(true)
    expect(isSessionActive(session, end * DAY_MS)).toBe(false)
  })
})

describe('a token', () => {
  test('is 256 random bits in a form that cookies allow', () => {
    const token = generateSessionToken((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    let byteCount = 0
    generateSessionToken((bytes) => {
      byteCount = bytes
      return new Uint8Array(bytes)
    })
    expect(byteCount).toBe(32)
  })

  test('is parsed from the cookie that it was written to', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (random) => {
        const token = generateSessionToken(() => random)
        const [pair] = sessionCookie(token, true).split(';')
        expect(parseSessionToken(pair ?? null)).toBe(token)
      }),
    )
  })
})

describe('a Cookie header', () => {
  test.each([
    ['alone', `session=${TOKEN}`],
    ['after another', `theme=dark; session=${TOKEN}`],
    ['before another', `session=${TOKEN}; theme=dark`],
    ['without spaces', `a=b;session=${TOKEN};c=d`],
    ['with more spaces', `  session=${TOKEN}  ;`],
    ['beside names that only look like it', `xsession=1; sessions=2; Session=3; session=${TOKEN}`],
  ])('with the session %s returns it', (_where, cookies) => {
    expect(parseSessionToken(cookies)).toBe(TOKEN)
  })

  test.each([
    ['nothing', null],
    ['an empty text', ''],
    ['an empty session', 'session='],
    ['no value', 'session'],
    ['two sessions', `session=${TOKEN}; session=${TOKEN}`],
    ['two sessions, one of them empty', `session=${TOKEN}; session=`],
    ['two headers that were joined', `session=${TOKEN}, session=${TOKEN}`],
    ['a token that is too short', `session=${TOKEN.slice(1)}`],
    ['a token that is too long', `session=${TOKEN}a`],
    ['quotes', `session="${TOKEN}"`],
    ['a line break', `session=${TOKEN}\n`.repeat(2)],
    ['another alphabet', `session=${'+'.repeat(43)}`],
    ['another name', `sid=${TOKEN}`],
    ['the name in capitals', `SESSION=${TOKEN}`],
  ])('with %s returns undefined', (_what, cookies) => {
    expect(parseSessionToken(cookies)).toBeUndefined()
  })

  test('of any content is parsed without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (cookies) => {
        expect(parseSessionToken(cookies)).toBeUndefined()
      }),
    )
  })
})

describe('the Set-Cookie header', () => {
  test('hides the cookie from scripts and other sites, for thirty days', () => {
    const attributes = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000'
    expect(sessionCookie(TOKEN, true)).toBe(`session=${TOKEN}; ${attributes}; Secure`)
    expect(sessionCookie(TOKEN, false)).toBe(`session=${TOKEN}; ${attributes}`)
  })

  test('deletes it with the same attributes, which browsers require', () => {
    const attributes = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=0'
    expect(expiredSessionCookie(true)).toBe(`session=; ${attributes}; Secure`)
    expect(expiredSessionCookie(false)).toBe(`session=; ${attributes}`)
  })
})
