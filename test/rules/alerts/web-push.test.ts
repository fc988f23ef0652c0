import { expect, test } from 'bun:test'
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { encryptPush, isPushKeys } from '#rules/alerts/push-encryption.ts'
import { deriveVapidKeys, vapidAuthorization } from '#rules/alerts/vapid.ts'

const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

test('a message is encrypted as in the example of RFC 8291', () => {
  const encrypted = encryptPush(Buffer.from('When I grow up, I want to be a watermelon'), KEYS, {
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
  })
  expect(Buffer.from(encrypted).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('keys of a subscription are a point of the curve and 16 bytes', () => {
  expect(isPushKeys(KEYS)).toBe(true)
  expect(isPushKeys({ ...KEYS, auth: 'AAAA' })).toBe(false)
  const { p256dh } = KEYS
  expect(isPushKeys({ ...KEYS, p256dh: `${p256dh.slice(0, -4)}AAAA` })).toBe(false)
  expect(isPushKeys({ ...KEYS, p256dh: '' })).toBe(false)
})

test('the sender proves itself with a key that follows from the secret', () => {
  const secret = randomBytes(16)
  const hash = (text: string) =>
    new Bun.CryptoHasher('sha256', secret).update(text).digest().subarray(0, 16)
  const keys = deriveVapidKeys(hash)
  expect(deriveVapidKeys(hash)).toEqual(keys)
  const now = new Date('2026-11-15T00:00:00Z')
  const endpoint = 'https://push.example/send/1?x=2'
  const header = vapidAuthorization(keys, { endpoint, contact: 'mailto:ops@shop.example', now })
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  expect(key).toBe(keys.publicKey)
  const [head = '', claims = '', signature = ''] = token.split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    aud: 'https://push.example',
    sub: 'mailto:ops@shop.example',
    exp: now.getTime() / 1000 + 12 * 3_600,
  })
  const point = Buffer.from(key, 'base64url')
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString('base64url'),
  )
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', signed, options, Buffer.from(signature, 'base64url'))).toBe(true)
})
