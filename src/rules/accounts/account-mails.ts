import { type MailBody, renderMailBody } from '../primitives/mail-body.ts'

/** Subject and body of a mail about an account. */
export type AccountMail = MailBody & { subject: string }

/** A link to set a new password works for an hour. */
export const RESET_LINK_MS = 3_600_000

/** A link to confirm an address works for a day, because mail may be delayed. */
export const CONFIRM_LINK_MS = 24 * 3_600_000

/** Returns the address of the page with a token in the fragment, which browsers send to no server. */
export function mailedUrl(publicUrl: string, page: MailedPage, token: string): string {
  return `${publicUrl}/${page}#token=${token}`
}

export type MailedPage = 'reset-password' | 'confirm-email'

/** Renders the mail with a link to set a new password. */
export function renderResetMail(url: string, host: string): AccountMail {
  return {
    subject: 'Set a new password',
    ...renderMailBody({
      parts: [
        `Somebody, probably you, wants to set a new password for your account at ${host}.`,
        { label: 'Set a new password', url },
        'The link works once, for one hour. Setting a new password logs you out everywhere.',
      ],
      footer: ['If it was not you, do nothing: your password stays as it is.'],
    }),
  }
}

/** Renders the mail with a link to confirm an e-mail address. */
export function renderConfirmationMail(url: string, host: string): AccountMail {
  return {
    subject: 'Confirm your e-mail address',
    ...renderMailBody({
      parts: [
        `An account at ${host} was created with this e-mail address.`,
        { label: 'Confirm the address', url },
        'The link works once, for one day.',
      ],
      footer: ['If it was not you, do nothing: nobody can log in without this confirmation.'],
    }),
  }
}
