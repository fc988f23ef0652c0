import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Mailer, openMailer } from '#outbound/mail/mailer.ts'
import { renderMailBody } from '#rules/primitives/mail-body.ts'
import { type Certificate, createCertificate } from '../../support/certificates.ts'
import { findFreePort } from '../../support/free-port.ts'
import {
  type MailBehavior,
  type MailServer,
  startMailServer,
} from '../../support/mail/mail-server.ts'

const from = { name: 'Cards & Prices', address: 'cards@shop.example' }
const body = renderMailBody({
  parts: [
    'Black Lotus is at €12.50 now — “less” than <20>.',
    { label: 'Open', url: 'https://a/?b&c' },
  ],
  footer: ['You asked for this mail.'],
})
const mail = {
  id: 'msg_1',
  to: 'ada@mail.example',
  subject: 'Price\r\nBcc: eve@mail.example',
  ...body,
}

let behavior: MailBehavior = 'ok'
let certificate: Certificate
let server: MailServer
let mailer: Mailer

beforeAll(async () => {
  certificate = await createCertificate(['127.0.0.1', 'localhost'])
  server = await startMailServer({ behave: () => behavior })
  mailer = openMailer({ url: server.url, from })
})
afterAll(() => server.close())

const sendWith = async (next: MailBehavior, options: Parameters<typeof openMailer>[1] = {}) => {
  behavior = next
  const outcome = await openMailer({ url: server.url, from }, options).send(mail)
  behavior = 'ok'
  return outcome
}

describe('a mail', () => {
  test('arrives as text and HTML, with the headers of automatic mail', async () => {
    const unsubscribeUrl = 'https://cards.example/unsubscribe/token'
    expect(await mailer.send({ ...mail, unsubscribeUrl })).toEqual({ kind: 'sent' })
    const received = await server.waitFor(({ to }) => to === mail.to)
    expect(received.text).toBe(body.text)
    expect(received.html.trim()).toBe(body.html)
    expect(received.html).toContain('&#60;20&#62;')
    expect(received.from).toBe(from.address)
    const { headers } = received
    expect(headers.get('message-id')).toBe('<msg_1@shop.example>')
    expect(headers.get('from')).toBe('"Cards & Prices" <cards@shop.example>')
    expect(headers.get('to')).toBe(mail.to)
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.get('list-unsubscribe')).toBe(`<${unsubscribeUrl}>`)
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  })

  test('has one recipient, whatever its subject and address are', async () => {
    const tries = server.tries()
    await mailer.send(mail)
    expect(server.tries() - tries).toBe(1)
    expect(server.received.at(-1)?.headers.get('bcc')).toBeNull()
    const outcome = await mailer.send({ ...mail, to: 'a@mail.example, b@mail.example' })
    expect(outcome.kind).not.toBe('sent')
    expect(server.tries() - tries).toBe(1)
  })

  test.each([
    [
      { recipient: 450 },
      'temporary',
      'The mail server is temporarily unable to accept the mail (450).',
    ],
    [
      { recipient: 550 },
      'permanent',
      'The mail server does not accept mail to this address (550).',
    ],
    [
      { content: 451 },
      'temporary',
      'The mail server is temporarily unable to accept the mail (451).',
    ],
    [{ content: 554 }, 'permanent', 'The mail server refused the mail (554).'],
    ['cut', 'temporary', 'The mail server cannot be reached.'],
  ] as const)('that is refused with %j has failed in a %s way', async (next, kind, error) => {
    expect(await sendWith(next)).toMatchObject({ kind, error })
  })

  test('fails temporarily while the server is slow, down, or the sender stops', async () => {
    expect(await sendWith('never', { timeoutMs: 200 })).toMatchObject({
      kind: 'temporary',
      error: 'The mail server did not accept the mail within 0.2 seconds.',
    })
    const down = openMailer({ url: `smtp://127.0.0.1:${await findFreePort()}`, from })
    const error = 'The mail server cannot be reached.'
    expect(await down.send(mail)).toMatchObject({ kind: 'temporary', error })
    expect((await mailer.send(mail, AbortSignal.abort())).kind).toBe('temporary')
  })

  test('is encrypted where the server can, and only with a trusted certificate', async () => {
    const login = { user: 'cards', password: 'p@ss' }
    const secure = await startMailServer({ tls: certificate, login })
    const { url } = secure
    const outcome = await openMailer({ url, from }, { ca: certificate.cert }).send(mail)
    expect(outcome).toEqual({ kind: 'sent' })
    expect(secure.received.map(({ isEncrypted }) => isEncrypted)).toEqual([true])
    expect(await openMailer({ url, from }).send(mail)).toEqual({
      kind: 'temporary',
      error: 'The mail server cannot be reached.',
      detail: 'self signed certificate',
    })
    const stranger = openMailer(
      { url: url.replace('p%40ss', 'wrong'), from },
      { ca: certificate.cert },
    )
    expect(await stranger.send(mail)).toMatchObject({
      kind: 'temporary',
      error: 'The mail server refuses the user name or password of this server.',
    })
    expect(secure.received).toHaveLength(1)
    await secure.close()
  })
})
