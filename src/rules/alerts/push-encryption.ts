import { createCipheriv, createECDH, hkdfSync } from 'node:crypto'
import type { PushKeys } from './channel-kinds.ts'

/** Random values of one message. */
export type PushRandomness = {
  /** 16 bytes. */
  salt: Uint8Array
  /** Private key on the curve P-256, for this message only. */
  privateKey: Uint8Array
}

/**
 * Encrypts a push message for the browser that has subscribed (RFC 8291): one record of the content encoding
 * `aes128gcm` (RFC 8188).
 */
export function encryptPush(
  content: Uint8Array,
  { p256dh, auth }: PushKeys,
  { salt, privateKey }: PushRandomness,
): Uint8Array<ArrayBuffer> {
  const receiverKey = Buffer.from(p256dh, 'base64url')
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)
  const senderKey = ecdh.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey])
  const shared = ecdh.computeSecret(receiverKey)
  const secret = derive(shared, Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_BYTES, 0)
  header.writeUInt8(senderKey.length, 4)
  return new Uint8Array(
    Buffer.concat([
      salt,
      header,
      senderKey,
      cipher.update(content),
      cipher.update(LAST_RECORD),
      cipher.final(),
      cipher.getAuthTag(),
    ]),
  )
}

/** Returns true if a browser could have created the keys: a point on the curve, and 16 bytes. */
export function isPushKeys({ p256dh, auth }: PushKeys): boolean {
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  try {
    const ecdh = createECDH('prime256v1')
    ecdh.generateKeys()
    ecdh.computeSecret(Buffer.from(p256dh, 'base64url'))
    return true
  } catch {
    return false
  }
}

const AUTH_BYTES = 16
const RECORD_BYTES = 4_096
/** Delimiter of the last record, without padding. */
const LAST_RECORD = Uint8Array.of(2)

function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}
