import { Type } from '@sinclair/typebox'
import { deleteOwnAccount } from '#actions/accounts/delete-account.ts'
import { exportAccount } from '#actions/accounts/export-account.ts'
import { countAttempt, exportLimits } from '#actions/accounts/rate-limits.ts'
import type { Deps } from '#deps.ts'
import { PASSWORD_BYTES_MAX } from '#rules/accounts/credentials.ts'
import { expiredSessionCookie } from '#rules/accounts/sessions.ts'
import { jsonObject } from '../../input/json-body.ts'
import { namedObject } from '../../openapi/schemas.ts'
import type { Server } from '../../server.ts'

/** Export and deletion of all data of an account. */
export function accountDataRoutes({ endpoint, passwords }: Server, deps: Deps): void {
  const isSecure = deps.config.publicUrl.startsWith('https:')

  endpoint('GET /v1/auth/export', {
    auth: 'session',
    id: 'exportAccount',
    tag: 'Account',
    summary: 'Export all data of the account',
    description: 'The rows of each table, without secrets.',
    files: ['application/json'],
    refusals: { 429: 'Too many files. Retry after the time in Retry-After.' },
    returns: 'The file.',
    accept: ({ principal }) => countAttempt(deps, exportLimits(principal.account_id)),
    respond: async ({ principal: session }) => ({
      fileName: 'cardstock-account.json',
      contentType: 'application/json; charset=utf-8',
      source: { chunks: exportAccount(deps, session.account_id) },
    }),
  })

  endpoint('POST /v1/auth/delete', {
    auth: 'session',
    id: 'deleteAccount',
    tag: 'Account',
    summary: 'Delete the account and all of its data',
    description:
      'Permanent. Keys, sessions, webhooks and links end at once, and a subscription ends without a refund. Payments and scans stay in the books.',
    body: jsonObject({
      email: Type.String({ maxLength: 320, description: 'E-mail address of the account.' }),
      password: Type.Optional(
        Type.String({
          maxLength: PASSWORD_BYTES_MAX,
          description: 'Required if the account has one; otherwise the login must be recent.',
        }),
      ),
    }),
    refusals: {
      401: 'Not logged in, or the e-mail address or the password is wrong.',
      403: 'The account has no password, and the login is older than 15 minutes.',
      429: 'Too many attempts. Retry after the time in Retry-After.',
      503: 'The payment provider or the service is busy; nothing was deleted.',
    },
    returns: 'The number of the account, which stays in the books. The session cookie is deleted.',
    headers: ['Set-Cookie'],
    reply: namedObject('DeletedAccount', { id: Type.Integer() }),
    async respond({ principal: session, body, clientAddress: address }) {
      const { email, password = '' } = body
      await deleteOwnAccount(deps, passwords, { session, email, password, address })
      const headers = [['set-cookie', expiredSessionCookie(isSecure)]] as const
      return { data: { id: session.account_id }, headers }
    },
  })
}
