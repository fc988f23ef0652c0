// Webhook signatures, verified with the reference library of Standard Webhooks.
import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { generateSigningSecret, signedHeaders } from '#rules/alerts/webhook-signature.ts'

const newSecret = () => generateSigningSecret(randomBytes)

/** The library rejects messages older than five minutes. */
const now = () => new Date()

function isTrusted(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

const message = { id: 'msg_0198c0ffee', body: '{"event":"price_alert","card_name":"Pikachu é 🂡"}' }

describe('a signed message', () => {
  test('is valid with its secret, whatever its content', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'grapheme' }), (id, body) => {
        const secret = newSecret()
        const headers = signedHeaders([secret], { id, at: now(), body })
        expect(isTrusted(secret, body, headers)).toBe(true)
      }),
    )
  })

  test("has the same signature as the library's", () => {
    const secret = newSecret()
    const at = now()
    expect(signedHeaders([secret], { ...message, at })).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(message.id, at, message.body),
    })
  })

  test('is invalid with another secret', () => {
    const headers = signedHeaders([newSecret()], { ...message, at: now() })
    expect(isTrusted(newSecret(), message.body, headers)).toBe(false)
  })

  test('is invalid after any change', () => {
    const secret = newSecret()
    const at = now()
    const headers = signedHeaders([secret], { ...message, at })
    const later = String(Number(headers['webhook-timestamp']) + 1)
    const signature = headers['webhook-signature']
    const swapped = signature.replace(/.(?==$)/, (last) => (last === 'A' ? 'E' : 'A'))
    const isTrustedWith = (change: object, body = message.body) =>
      isTrusted(secret, body, { ...headers, ...change })
    expect(isTrustedWith({})).toBe(true)
    expect(isTrustedWith({}, `${message.body} `)).toBe(false)
    expect(isTrustedWith({}, message.body.replace('Pikachu', 'Raichu'))).toBe(false)
    expect(isTrustedWith({ 'webhook-id': `${message.id}0` })).toBe(false)
    expect(isTrustedWith({ 'webhook-timestamp': later })).toBe(false)
    expect(isTrustedWith({ 'webhook-signature': swapped })).toBe(false)
    expect(isTrustedWith({ 'webhook-signature': signature.replace('v1,', 'v1a,') })).toBe(false)
    expect(isTrustedWith({ 'webhook-signature': '' })).toBe(false)
  })

  test('is valid with both secrets during a rotation', () => {
    const [fresh, old] = [newSecret(), newSecret()]
    const headers = signedHeaders([fresh, old], { ...message, at: now() })
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    expect(isTrusted(fresh, message.body, headers)).toBe(true)
    expect(isTrusted(old, message.body, headers)).toBe(true)
    expect(isTrusted(newSecret(), message.body, headers)).toBe(false)
  })

  test('is invalid when it is too old', () => {
    const secret = newSecret()
    const headers = signedHeaders([secret], { ...message, at: new Date(Date.now() - 301_000) })
    expect(isTrusted(secret, message.body, headers)).toBe(false)
  })
})

describe('a signing secret', () => {
  test('has 32 random bytes in the format of the specification', () => {
    const secret = generateSigningSecret((bytes) => new Uint8Array(bytes).fill(7))
    expect(secret).toBe(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
  })

  test('is unique', () => {
    expect(new Set(Array.from({ length: 100 }, newSecret)).size).toBe(100)
  })
})
