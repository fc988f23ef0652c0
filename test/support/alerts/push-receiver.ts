// A browser's subscription to push messages. It decrypts with WebCrypto, as described in RFC 8291, and shares no code
// with the sender.
import { type ReceiverOptions, startReceiver } from './receivers.ts'

/** A message as received by the browser. */
export type PushedMessage = { headers: Headers; content: unknown }

export async function startPushReceiver(options: ReceiverOptions = {}) {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
    'deriveBits',
  ])
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const auth = crypto.getRandomValues(new Uint8Array(16))
  const receiver = startReceiver(options)

  async function hkdf(salt: Uint8Array, secret: Uint8Array, info: Uint8Array, bytes: number) {
    const key = await crypto.subtle.importKey('raw', secret as BufferSource, 'HKDF', false, [
      'deriveBits',
    ])
    const parameters = { name: 'HKDF', hash: 'SHA-256', salt, info }
    return new Uint8Array(await crypto.subtle.deriveBits(parameters as HkdfParams, key, bytes * 8))
  }

  async function decrypt(body: Uint8Array): Promise<Uint8Array> {
    const salt = body.subarray(0, 16)
    const idLength = body[20] ?? 0
    const senderKey = body.subarray(21, 21 + idLength)
    const sender = await crypto.subtle.importKey(
      'raw',
      senderKey as BufferSource,
      { name: 'ECDH', namedCurve: 'P-256' },
      false,
      [],
    )
    const shared = await crypto.subtle.deriveBits(
      { name: 'ECDH', public: sender },
      pair.privateKey,
      256,
    )
    const text = (line: string) => new TextEncoder().encode(line)
    const info = Buffer.concat([text('WebPush: info\0'), publicKey, senderKey])
    const secret = await hkdf(auth, new Uint8Array(shared), info, 32)
    const key = await hkdf(salt, secret, text('Content-Encoding: aes128gcm\0'), 16)
    const iv = await hkdf(salt, secret, text('Content-Encoding: nonce\0'), 12)
    const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
    const record = body.subarray(21 + idLength)
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, aes, record as BufferSource)
    const padded = new Uint8Array(plain)
    return padded.subarray(0, padded.lastIndexOf(2))
  }

  return {
    ...receiver,
    /** The subscription, as a page sends it to the server. */
    subscription: {
      address: `${receiver.url}/push/1`,
      keys: {
        p256dh: Buffer.from(publicKey).toString('base64url'),
        auth: Buffer.from(auth).toString('base64url'),
      },
    },
    /** Decrypts all messages so far, oldest first. */
    async readAll(): Promise<PushedMessage[]> {
      return Promise.all(
        receiver.received.map(async ({ headers, bytes }) => ({
          headers,
          content: JSON.parse(new TextDecoder().decode(await decrypt(bytes))),
        })),
      )
    },
  }
}
