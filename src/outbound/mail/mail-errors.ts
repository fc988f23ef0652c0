import { errorCode } from '#rules/primitives/system-errors.ts'

/**
 * Failure of a mail. `permanent`: the server will never accept this recipient or message. `temporary`: it may accept
 * the mail later, perhaps after the operator has changed a setting.
 */
export type MailFailure = {
  kind: 'temporary' | 'permanent'
  /** Sentence for the recipient. */
  error: string
  /** Text of the SMTP client, for the operator's log. */
  detail: string
}

/**
 * Describes why a mail was not accepted, without the server's host and text, which may reveal details of the
 * operator's network.
 *
 * @param cause the error; `late` if the mail timed out
 */
export function describeMailError(cause: unknown, timeoutMs: number): MailFailure {
  const detail = cause instanceof Error ? cause.message : String(cause)
  const [kind, error] = classify(cause, timeoutMs)
  return { kind, error, detail }
}

function classify(cause: unknown, timeoutMs: number): [kind: MailFailure['kind'], error: string] {
  if (cause === 'late') {
    const seconds = timeoutMs / 1_000
    return ['temporary', `The mail server did not accept the mail within ${seconds} seconds.`]
  }
  const { status, command } = readResponse(cause)
  const code = errorCode(cause)
  if (status === undefined && code === 'EENVELOPE') return ['permanent', BAD_ADDRESS]
  if (status === undefined || code === 'EAUTH') {
    return ['temporary', SENTENCES.get(code) ?? NOT_REACHED]
  }
  if (status < 500)
    return ['temporary', `The mail server is temporarily unable to accept the mail (${status}).`]
  if (command === 'RCPT TO') {
    return ['permanent', `The mail server does not accept mail to this address (${status}).`]
  }
  if (command === 'DATA') return ['permanent', `The mail server refused the mail (${status}).`]
  return ['temporary', `The mail server refuses to send for this server (${status}).`]
}

/** Reads the response of the server from an error of the SMTP client. */
function readResponse(cause: unknown): { status?: number; command?: unknown } {
  if (!(cause instanceof Error && 'responseCode' in cause)) return {}
  const { responseCode: status } = cause
  if (typeof status !== 'number') return {}
  return { status, command: 'command' in cause ? cause.command : undefined }
}

const BAD_ADDRESS = 'The mail server does not support this kind of address.'
const NOT_REACHED = 'The mail server cannot be reached.'
const NO_TLS = 'The connection to the mail server could not be encrypted.'

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['ETLS', NO_TLS],
  ['EREQUIRETLS', NO_TLS],
  ['EAUTH', 'The mail server refuses the user name or password of this server.'],
  ['EABORT', 'Cardstock stopped before the mail was sent. It will be sent again.'],
])
