import { Type } from '@sinclair/typebox'
import { listAccess } from '#actions/accounts/account-access.ts'
import { requestConfirmation, requestPasswordReset } from '#actions/accounts/mail-links.ts'
import { confirmEmail, resetPasswordByMail } from '#actions/accounts/mailed-links.ts'
import type { Deps } from '#deps.ts'
import { EMAIL, line, NEW_PASSWORD } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { namedObject } from '../../openapi/schemas.ts'
import { ACCESS, renderAccess } from '../../schemas/account-access.ts'
import type { Server } from '../../server.ts'

const TOKEN = line({ description: 'Token of the link in the mail.' })

const LIMITED = { 429: 'Too many attempts. Retry after the time in Retry-After.' }
const NO_MAIL = { 404: 'The server sends no mail.' }
const BAD_LINK = { 404: 'The link is unknown, used or expired.' }

const MailRequestSchema = namedObject('MailRequest', {
  is_requested: Type.Boolean({ description: 'True, also if no account has the address.' }),
})

const PasswordResetSchema = namedObject('PasswordReset', {
  email: Type.String({ description: 'E-mail address of the account.' }),
  unlinked_logins: Type.Integer({
    description: 'Logins that were unlinked.',
  }),
  ...ACCESS,
})

const MailedLinkSchema = namedObject('MailedLink', {
  email: Type.String({ description: 'E-mail address of the account.' }),
})

/** New passwords and confirmations of addresses by links in mails. */
export function mailedLinkRoutes({ endpoint, linkMails, passwords }: Server, deps: Deps): void {
  endpoint('POST /v1/auth/reset', {
    auth: 'optional session',
    id: 'requestPasswordReset',
    tag: 'Account',
    summary: 'Request a mail to set a new password',
    description:
      'An account with the address gets a link that works once, for an hour. The response is always the same.',
    body: jsonObject({ email: EMAIL }),
    status: 202,
    refusals: { ...NO_MAIL, ...LIMITED },
    returns: 'The request.',
    reply: MailRequestSchema,
    async respond({ body, clientAddress: address }) {
      await requestPasswordReset(deps, linkMails, { ...body, address })
      return { data: { is_requested: true } }
    },
  })

  endpoint('POST /v1/auth/reset/password', {
    auth: 'optional session',
    id: 'resetPassword',
    tag: 'Account',
    summary: 'Set a new password with the token of a mail',
    description:
      'Ends all sessions, and unlinks a login provider that was linked before the address was first confirmed. The response names what still leads into the account.',
    body: jsonObject({ token: TOKEN, new_password: NEW_PASSWORD }),
    refusals: { ...BAD_LINK, ...LIMITED, 503: 'The service is busy, starting or stopping.' },
    returns: 'The account, its keys and its channels.',
    reply: PasswordResetSchema,
    async respond({ body: { token, new_password: password }, clientAddress: address }) {
      const reset = { token, password, address }
      const { account, unlinked } = await resetPasswordByMail(deps, passwords, reset)
      const access = renderAccess(await listAccess(deps, account.id))
      return { data: { email: account.email, unlinked_logins: unlinked, ...access } }
    },
  })

  endpoint('POST /v1/auth/confirmation', {
    auth: 'optional session',
    id: 'requestEmailConfirmation',
    tag: 'Account',
    summary: 'Request a mail to confirm an e-mail address',
    description:
      'An account that has not confirmed the address gets a link that works once, for a day.',
    body: jsonObject({ email: EMAIL }),
    status: 202,
    refusals: { ...NO_MAIL, ...LIMITED },
    returns: 'The request.',
    reply: MailRequestSchema,
    async respond({ body, clientAddress: address }) {
      await requestConfirmation(deps, linkMails, { ...body, address })
      return { data: { is_requested: true } }
    },
  })

  endpoint('POST /v1/auth/confirm', {
    auth: 'optional session',
    id: 'confirmEmail',
    tag: 'Account',
    summary: 'Confirm an e-mail address with the token of a mail',
    body: jsonObject({ token: TOKEN }),
    refusals: { ...BAD_LINK, ...LIMITED },
    returns: 'The account.',
    reply: MailedLinkSchema,
    async respond({ body: { token }, clientAddress: address }) {
      const { email } = await confirmEmail(deps, { token, address })
      return { data: { email } }
    },
  })
}
