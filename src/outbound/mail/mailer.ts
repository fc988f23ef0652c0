// Sends mail through the operator's SMTP server.
import type { SMTPTransportOptions } from 'nodemailer'
import type { MailSettings } from '#config/mail.ts'
import type { MailBody } from '#rules/primitives/mail-body.ts'
import { isLoopbackHost } from '#rules/primitives/public-address.ts'
import { describeMailError, type MailFailure } from './mail-errors.ts'

/** A mail to one address. */
export type MailMessage = MailBody & {
  /** Identifies repeated mails: the first part of the Message-ID. */
  id: string
  to: string
  subject: string
  /** URL to which mail programs POST to unsubscribe (RFC 8058). */
  unsubscribeUrl?: string
}

/** Result of sending a mail. */
export type MailOutcome = { kind: 'sent' } | MailFailure

/** Client of the SMTP server. */
export type Mailer = {
  /** Host name and port of the server, by which limits are counted. */
  host: string
  /** Sends a mail within the time limit, or until `signal` aborts. Never throws. */
  send(message: MailMessage, signal?: AbortSignal): Promise<MailOutcome>
}

/** Limits of the client. */
export type MailerOptions = {
  /** Timeout of one mail, from the DNS lookup to the response of the server. */
  timeoutMs?: number
  /** PEM certificate of the only trusted authority, instead of the system's authorities. */
  ca?: string
}

/** Opens the client; it connects for each mail. */
export function openMailer(
  { url, from }: MailSettings,
  { timeoutMs = TIMEOUT_MS, ca }: MailerOptions = {},
): Mailer {
  const transport = transportOptions(url, ca)
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)

  async function send(
    { id, to, unsubscribeUrl, ...content }: MailMessage,
    signal: AbortSignal,
  ): Promise<MailOutcome> {
    // Loaded for the first mail, because many servers send none.
    const { createTransport } = await import('nodemailer')
    await createTransport(transport).sendMail({
      ...content,
      from,
      // As an object, because a string could be a list of addresses.
      to: { name: '', address: to },
      messageId: `<${id}@${domain}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribeUrl !== undefined && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
      signal,
    })
    return { kind: 'sent' }
  }

  return {
    host: `${transport.host}:${transport.port}`,
    async send(message, signal) {
      const deadline = AbortSignal.timeout(timeoutMs)
      const ending = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
      return await send(message, ending).catch((cause: unknown) =>
        describeMailError(deadline.aborted ? 'late' : cause, timeoutMs),
      )
    },
  }
}

/** Timeout of one mail, shorter than the lease of a message. Servers may delay unknown senders on purpose. */
const TIMEOUT_MS = 45_000

/** Returns the options of the connection. A password is only sent over TLS, except on this machine. */
function transportOptions(text: string, ca: string | undefined) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const secure = protocol === 'smtps:'
  const hasPassword = username !== ''
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? SMTPS_PORT : SUBMISSION_PORT) : Number(port),
    secure,
    requireTLS: hasPassword && !isLoopbackHost(hostname),
    ...(hasPassword && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    ...(ca !== undefined && { tls: { ca } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SMTPTransportOptions
}

const SMTPS_PORT = 465
const SUBMISSION_PORT = 587
