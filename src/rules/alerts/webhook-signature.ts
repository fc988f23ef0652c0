import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/**
 * A signing secret as its owner keeps it: `whsec_` and 32 bytes in base64 (Standard Webhooks 1.0.0,
 * "Signature scheme").
 */
export function generateSigningSecret(random: (bytes: number) => Uint8Array): string {
  return PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64')
}

/** What a receiver checks a message by, and tells repeated ones by. */
export type SignedHeaders = {
  'webhook-id': string
  /** Of the attempt, epoch seconds. */
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * The headers of one attempt: `v1,` and HMAC-SHA256 of `id.timestamp.body` in base64, one for each
 * secret, separated by spaces.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): SignedHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${computeMac(secret, signed)}`).join(' '),
  }
}

function computeMac(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}
