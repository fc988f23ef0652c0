import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HASH_BYTES = 16

/** Minimum length of the app secret: 24 random bytes in base64. */
export const APP_SECRET_LENGTH_MIN = 32

/** Encrypts secrets that must be readable again, so that the database file alone does not reveal them. */
export type SecretBox = {
  /**
   * Encrypts a text.
   *
   * @param context where the text belongs; the same is required to decrypt it
   */
  seal(text: string, context: string): Uint8Array
  /** Decrypts a text; undefined if it was encrypted with another secret or context. */
  open(sealed: Uint8Array, context: string): string | undefined
  /** Returns a keyed hash of 16 bytes, so that texts that are easy to guess stay unknown without the secret. */
  hash(text: string): Uint8Array
}

/** Returns a hash of 16 bytes with which servers compare their secrets without revealing them. */
export function fingerprintSecret(secret: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', secret, '', 'cardstock installation', HASH_BYTES))
}

/** AES-256-GCM with a key derived from the app secret. Each text begins with its own nonce. */
export function createSecretBox(secret: string, random: (bytes: number) => Uint8Array): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'cardstock signing secrets', 32))
  const hashKey = Buffer.from(hkdfSync('sha256', secret, '', 'cardstock keyed hashes', 32))
  return {
    hash: (text) => createHmac('sha256', hashKey).update(text).digest().subarray(0, HASH_BYTES),
    seal(text, context) {
      const nonce = random(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    open(sealed, context) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(-TAG_BYTES)
      try {
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
        const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
