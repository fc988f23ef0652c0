import { Type } from '@sinclair/typebox'
import { changePassword, type LoginInput, logIn } from '#actions/accounts/log-in.ts'
import { mailFirstConfirmation } from '#actions/accounts/mail-links.ts'
import { logOut } from '#actions/accounts/manage-sessions.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { setUpOperator } from '#actions/accounts/set-up-operator.ts'
import type { Deps } from '#deps.ts'
import { PASSWORD_BYTES_MAX } from '#rules/accounts/credentials.ts'
import {
  expiredSessionCookie,
  isSessionActive,
  sessionCookie,
  sessionExpiry,
} from '#rules/accounts/sessions.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { Session } from '#store/ledger/sessions.ts'
import { EMAIL, NEW_PASSWORD, stringEnum } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { namedObject } from '../../openapi/schemas.ts'
import { AccountSchema, MeSchema } from '../../schemas/accounts.ts'
import { timeText } from '../../schemas/members.ts'
import type { Server } from '../../server.ts'

const PASSWORD = Type.String({ maxLength: PASSWORD_BYTES_MAX })

const INVITATION = Type.String({
  maxLength: 100,
  description: 'Code of an invitation, if the operator requires one.',
})

const LIMITED = {
  429: 'Too many attempts. Retry after the time in Retry-After.',
  503: 'The service is busy, starting or stopping.',
}

/** Registration, login and sessions. */
export function authRoutes({ endpoint, linkMails, passwords }: Server, deps: Deps): void {
  const { ledger, now } = deps
  const isSecure = deps.config.publicUrl.startsWith('https:')

  /** @param token null ends the session of the browser */
  function setCookie(token: string | null) {
    const cookie = token === null ? expiredSessionCookie(isSecure) : sessionCookie(token, isSecure)
    return [['set-cookie', cookie]] as const
  }

  async function answerLogin(login: LoginInput) {
    const { account, token } = await logIn(deps, passwords, login)
    return { data: renderAccount(account), headers: setCookie(token) }
  }

  endpoint('POST /v1/auth/register', {
    auth: 'optional session',
    id: 'registerAccount',
    tag: 'Account',
    summary: 'Create an account',
    description: 'A new account has the Free tier. Log in with `POST /v1/auth/login`.',
    body: jsonObject({
      email: EMAIL,
      password: NEW_PASSWORD,
      invitation: Type.Optional(INVITATION),
    }),
    status: 201,
    refusals: {
      403: 'Registration is closed, or requires a valid invitation.',
      409: 'The e-mail address is already registered.',
      ...LIMITED,
    },
    returns: 'The account.',
    reply: AccountSchema,
    async respond({ body, clientAddress: address }) {
      const { invitation } = body
      const registration = { ...body, invitation, tier: 'free', address } as const
      const account = await registerAccount(deps, passwords, registration)
      mailFirstConfirmation(deps, linkMails, account.email)
      return { data: renderAccount(account) }
    },
  })

  endpoint('POST /v1/auth/setup', {
    auth: 'optional session',
    id: 'setUpOperator',
    tag: 'Account',
    summary: 'Create the operator’s account of a new server',
    description: 'Works once, with the token that the server prints when it starts. Logs in.',
    body: jsonObject({
      token: Type.String({
        maxLength: 100,
        description: 'Setup token, which the server prints when it starts.',
      }),
      email: EMAIL,
      password: NEW_PASSWORD,
    }),
    status: 201,
    refusals: {
      401: 'The token is wrong.',
      409: 'The server has an operator, or the e-mail address is already registered.',
      ...LIMITED,
    },
    returns: 'The account. The session cookie is in Set-Cookie.',
    headers: ['Set-Cookie'],
    reply: AccountSchema,
    async respond({ body, clientAddress: address, userAgent, principal: session }) {
      await setUpOperator(deps, passwords, { ...body, address })
      return answerLogin({ ...body, address, userAgent, session })
    },
  })

  endpoint('POST /v1/auth/login', {
    auth: 'optional session',
    id: 'logIn',
    tag: 'Account',
    summary: 'Log in',
    description: 'Sets the session cookie. It expires after 30 days, or after 7 days without use.',
    body: jsonObject({ email: EMAIL, password: PASSWORD }),
    refusals: {
      401: 'Wrong e-mail address or password.',
      403: 'The e-mail address is not confirmed, and the operator requires it.',
      ...LIMITED,
    },
    returns: 'The account. The session cookie is in Set-Cookie.',
    headers: ['Set-Cookie'],
    reply: AccountSchema,
    respond({ body, clientAddress: address, userAgent, principal: session }) {
      return answerLogin({ ...body, address, userAgent, session })
    },
  })

  endpoint('POST /v1/auth/logout', {
    auth: 'optional session',
    id: 'logOut',
    tag: 'Account',
    summary: 'Log out',
    description: 'Succeeds even if nobody is logged in.',
    query: {
      all: Type.Optional(
        stringEnum(['true', 'false'], '`true` ends every session of the account.'),
      ),
    },
    returns: 'The ended session, if there was one.',
    headers: ['Set-Cookie'],
    reply: namedObject('LogoutResult', {
      logged_out: Type.Boolean({ description: 'True if there was a session.' }),
    }),
    async respond({ query, principal: session, clientAddress: address }) {
      if (session !== undefined) await logOut(deps, session, { all: query.all === 'true', address })
      return { data: { logged_out: session !== undefined }, headers: setCookie(null) }
    },
  })

  endpoint('GET /v1/auth/me', {
    auth: 'session',
    id: 'getAccount',
    tag: 'Account',
    summary: 'Get the account and its sessions',
    returns: 'The account and its sessions.',
    reply: MeSchema,
    async respond({ principal: session }) {
      const sessions = await listSessions(session)
      const found = await ledger.accounts.getById(session.account_id)
      const has_password = found?.password_hash !== ''
      const login_provider = await findProviderLink(session)
      const { is_unlimited } = session
      const more = { is_unlimited, has_password, login_provider, sessions }
      return { data: { ...renderAccount(accountOf(session)), ...more } }
    },
  })

  endpoint('POST /v1/auth/password', {
    auth: 'session',
    id: 'changePassword',
    tag: 'Account',
    summary: 'Change the password',
    description: 'Ends all other sessions and sets a new session cookie.',
    body: jsonObject({ current_password: PASSWORD, new_password: NEW_PASSWORD }),
    refusals: { ...LIMITED, 401: 'Not logged in, or the current password is wrong.' },
    returns: 'The account. The new session cookie is in Set-Cookie.',
    headers: ['Set-Cookie'],
    reply: AccountSchema,
    async respond({ body, principal: session, clientAddress: address, userAgent }) {
      const { current_password: current, new_password: wanted } = body
      const change = { session, current, wanted, address, userAgent }
      const token = await changePassword(deps, passwords, change)
      return { data: renderAccount(accountOf(session)), headers: setCookie(token) }
    },
  })

  async function findProviderLink({ account_id }: Session) {
    if (deps.loginProvider === undefined) return null
    const { issuer, label } = deps.loginProvider
    const linked_at = await ledger.identities.getLinkTime(account_id, issuer)
    return { label, linked_at: timeText(linked_at ?? null) }
  }

  async function listSessions(session: Session) {
    const all = await ledger.sessions.list(session.account_id)
    return all
      .filter((one) => isSessionActive(one, now().getTime()))
      .map((one) => ({
        id: String(one.id),
        browser: one.browser,
        network: one.network,
        created_at: timeText(one.created_at),
        last_seen_at: timeText(one.last_seen_at),
        expires_at: timeText(sessionExpiry(one)),
        is_current: one.id === session.id,
      }))
  }
}

function accountOf({ account_id, email, tier, is_operator, registered_at }: Session): Account {
  return { id: account_id, email, tier, is_operator, created_at: registered_at }
}

function renderAccount({ id, email, tier, is_operator, created_at }: Account) {
  return { id, email, tier, is_operator, created_at: timeText(created_at) }
}
