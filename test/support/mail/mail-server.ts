// An SMTP server on the local machine, for tests that send mail.
import { SMTPServer } from 'smtp-server'
import type { Certificate } from '../certificates.ts'

/** A mail as received. */
export type ReceivedMail = {
  from: string
  to: string
  headers: Headers
  /** Content as plain text and as HTML. */
  text: string
  html: string
  isEncrypted: boolean
}

/** Behavior of the server for a recipient or a mail. */
export type MailBehavior =
  | 'ok'
  /** Refuses the recipient with this status. */
  | { recipient: number }
  /** Refuses the mail with this status, after its content. */
  | { content: number }
  /** Accepts the mail, but never responds. */
  | 'never'
  /** Accepts and stores the mail, and closes the connection before the response. */
  | 'cut'

export type MailServerOptions = {
  /** Chooses the behavior, once for each attempt to send a mail; 'ok' by default. */
  behave?: (to: string) => MailBehavior
  /** Certificate for STARTTLS; without one, connections are not encrypted. */
  tls?: Certificate
  /** Only this user may send. */
  login?: { user: string; password: string }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** Starts a mail server on a free port. */
export async function startMailServer({ behave, tls, login }: MailServerOptions = {}) {
  const received: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const behaviors = new Map<string, MailBehavior>()
  let tries = 0
  const server = new SMTPServer({
    ...(tls && { key: tls.key, cert: tls.cert }),
    disabledCommands: tls === undefined ? ['STARTTLS'] : [],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 0,
    logger: false,
    onAuth({ username, password }, _session, callback) {
      if (username === login?.user && password === login?.password) {
        callback(null, { user: username })
      } else callback(refusal(535))
    },
    onRcptTo({ address }, { id }, callback) {
      tries++
      const behavior = behave?.(address) ?? 'ok'
      behaviors.set(id, behavior)
      const isRefused = typeof behavior === 'object' && 'recipient' in behavior
      callback(isRefused ? refusal(behavior.recipient) : null)
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo[0]?.address ?? ''
        const behavior = behaviors.get(session.id) ?? 'ok'
        if (behavior === 'never') return
        if (typeof behavior === 'object' && 'content' in behavior) {
          callback(refusal(behavior.content))
          return
        }
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to,
          isEncrypted: session.secure === true,
          ...parseMail(Buffer.concat(chunks).toString()),
        })
        for (const wake of waiting) wake()
        if (behavior === 'cut') for (const connection of server.connections) connection.close()
        else callback(null)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const credentials =
    login === undefined ? '' : `${login.user}:${encodeURIComponent(login.password)}@`

  return {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    /** Every stored mail, oldest first. */
    received,
    /** Number of recipients offered so far. */
    tries: () => tries,
    /** Resolves with the first matching mail, once it has arrived. */
    waitFor(isWanted: (mail: ReceivedMail) => boolean): Promise<ReceivedMail> {
      return new Promise((resolve) => {
        const check = () => {
          const found = received.find(isWanted)
          if (found === undefined) return
          waiting.delete(check)
          resolve(found)
        }
        waiting.add(check)
        check()
      })
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function refusal(status: number): Error {
  return Object.assign(new Error('No.'), { responseCode: status })
}

/** Parses a mail with text and HTML. */
function parseMail(mail: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = parsePart(mail)
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '') ?? []
  const parts = body.split(`--${boundary}`).slice(1, -1).map(parsePart)
  const contentOf = (type: string) => {
    const part = parts.find(({ headers }) => headers.get('content-type')?.startsWith(type))
    return part === undefined ? '' : decode(part.body, part.headers).replaceAll('\r\n', '\n')
  }
  return { headers, text: contentOf('text/plain'), html: contentOf('text/html') }
}

function parsePart(part: string): { headers: Headers; body: string } {
  const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { headers: new Headers(pairs), body: rest.join('\r\n\r\n').replace(/\r\n$/, '') }
}

function decode(body: string, headers: Headers): string {
  const encoding = headers.get('content-transfer-encoding')
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
