import { Type } from '@sinclair/typebox'
import { changePassword, logIn } from '#actions/accounts/log-in.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import type { Deps } from '#deps.ts'
import { PASSWORD_BYTES_MAX, PASSWORD_CHARACTERS_MIN } from '#rules/accounts/passwords.ts'
import { isSessionActive, sessionExpiry } from '#rules/accounts/sessions.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { Session } from '#store/ledger/sessions.ts'
import type { SessionEndpoints } from '../endpoint/session-endpoints.ts'
import { AccountSchema, MeSchema } from '../schemas/catalog.ts'

const TAG = 'Account'

const EMAIL = Type.String({ maxLength: 320, format: 'email' })
const PASSWORD = Type.String({ maxLength: PASSWORD_BYTES_MAX })
const NEW_PASSWORD = Type.String({
  minLength: PASSWORD_CHARACTERS_MIN,
  maxLength: PASSWORD_BYTES_MAX,
  description: `At least ${PASSWORD_CHARACTERS_MIN} characters, at most ${PASSWORD_BYTES_MAX} bytes.`,
})

const LIMITED = {
  429: 'Too many attempts: Retry-After says how long to wait.',
  503: 'Too many are being served, or the service is starting or stopping.',
}

/** Registering, logging in and out. */
export function authRoutes(doors: SessionEndpoints, deps: Deps): void {
  const { ledger, now } = deps
  const passwords = createPasswordHasher()

  doors.open('POST', '/v1/auth/register', {
    tag: TAG,
    summary: 'Open an account',
    description: 'A new account has the Free tier. It is not logged in yet.',
    body: { email: EMAIL, password: NEW_PASSWORD },
    status: 201,
    refusals: { 409: 'The address is taken.', ...LIMITED },
    reply: AccountSchema,
    async answer({ body, address }) {
      const registration = { ...body, tier: 'free', address } as const
      return { data: told(await registerAccount(deps, passwords, registration)) }
    },
  })

  doors.open('POST', '/v1/auth/login', {
    tag: TAG,
    summary: 'Log in',
    description:
      'Answers the session cookie: for 30 days at most, and until it has not been used for 7.',
    body: { email: EMAIL, password: PASSWORD },
    refusals: { 401: 'Address or password is wrong.', ...LIMITED },
    reply: AccountSchema,
    async answer({ body, address, session }) {
      const { account, token } = await logIn(deps, passwords, { ...body, address, session })
      return { data: told(account), session: token }
    },
  })

  doors.open('POST', '/v1/auth/logout', {
    tag: TAG,
    summary: 'Log out',
    description: 'Also answers 200 when nobody is logged in.',
    query: {
      all: Type.Optional(
        Type.Union([Type.Literal('true'), Type.Literal('false')], {
          description: '`true` ends every session of the account.',
        }),
      ),
    },
    reply: Type.Object({
      logged_out: Type.Boolean({ description: 'Whether anybody was logged in.' }),
    }),
    async answer({ query, session, address }) {
      if (session !== undefined) {
        await ledger.sessions.delete(session, { all: query.all === 'true', now: now(), address })
      }
      return { data: { logged_out: session !== undefined }, session: null }
    },
  })

  doors.session('GET', '/v1/auth/me', {
    tag: TAG,
    summary: 'Who is logged in, and where',
    reply: MeSchema,
    async answer({ session }) {
      return { data: { ...told(accountIn(session)), sessions: await sessionsOf(session) } }
    },
  })

  doors.session('POST', '/v1/auth/password', {
    tag: TAG,
    summary: 'Change the password',
    description: 'Ends every other session, and answers a new cookie for this one.',
    body: { current_password: PASSWORD, new_password: NEW_PASSWORD },
    refusals: { ...LIMITED, 401: 'Nobody is logged in, or the current password is wrong.' },
    reply: AccountSchema,
    async answer({ body, session, address }) {
      const { current_password: current, new_password: wanted } = body
      const token = await changePassword(deps, passwords, { session, current, wanted, address })
      return { data: told(accountIn(session)), session: token }
    },
  })

  async function sessionsOf(session: Session) {
    const all = await ledger.sessions.list(session.account_id)
    return all
      .filter((one) => isSessionActive(one, now().getTime()))
      .map((one) => ({
        created_at: iso(one.created_at),
        last_seen_at: iso(one.last_seen_at),
        expires_at: iso(sessionExpiry(one)),
        is_current: one.id === session.id,
      }))
  }
}

function accountIn({ account_id, email, tier, is_operator, registered_at }: Session): Account {
  return { id: account_id, email, tier, is_operator, created_at: registered_at }
}

function told({ id, email, tier, is_operator, created_at }: Account) {
  return { id, email, tier, is_operator, created_at: iso(created_at) }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
