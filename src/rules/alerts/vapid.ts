import { createECDH, createPrivateKey, sign } from 'node:crypto'

/** Key pair that identifies this server to push services (RFC 8292), in base64url. */
export type VapidKeys = { publicKey: string; privateKey: string }

/**
 * Derives the key pair from keyed hashes of 16 bytes, so that all servers with the same secret have the same
 * one, and nothing has to be stored.
 */
export function deriveVapidKeys(hash: (text: string) => Uint8Array): VapidKeys {
  for (let round = 0; ; round++) {
    const scalar = Buffer.concat([hash(`vapid ${round} a`), hash(`vapid ${round} b`)])
    const ecdh = createECDH('prime256v1')
    try {
      ecdh.setPrivateKey(scalar)
    } catch {
      // Numbers beyond the order of the curve, about one in four billion, are not private keys.
      continue
    }
    return {
      publicKey: ecdh.getPublicKey('base64url'),
      privateKey: scalar.toString('base64url'),
    }
  }
}

/**
 * Returns the header that identifies the sender of a push message to its service.
 *
 * @param contact `mailto:` or `https:` URL of the operator
 */
export function vapidAuthorization(
  { publicKey, privateKey }: VapidKeys,
  { endpoint, contact, now }: { endpoint: string; contact: string; now: Date },
): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + VALID_SECONDS,
    sub: contact,
  }
  const unsigned = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: privateKey,
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${unsigned}.${signature.toString('base64url')}, k=${publicKey}`
}

/** At most 24 hours are allowed. */
const VALID_SECONDS = 12 * 3_600

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
