import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Generates a signing secret (Standard Webhooks 1.0.0): `whsec_` and 32 bytes in base64. */
export function generateSigningSecret(random: (bytes: number) => Uint8Array): string {
  return PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64')
}

/** Headers by which a receiver verifies a message and recognizes repeated ones. */
export type SignedHeaders = {
  'webhook-id': string
  /** Time of the attempt, in epoch seconds. */
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * Returns the headers of one attempt. The signature is `v1,` and the HMAC-SHA256 of
 * `id.timestamp.body` in base64, once per secret, separated by spaces.
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
