import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * Signs the messages between servers and photo workers, with a key that is derived from their common secret.
 *
 * A request that is sent again within five minutes is valid. That is harmless: reading a photo changes
 * nothing, and its observation only goes to somebody who had the photo. It costs the worker a second.
 */
export type WorkerSigner = {
  signRequest(facts: string): string
  isRequestSigned(facts: string, signature: string): boolean
  /** Signs a response together with its request, so that it fits no other one. */
  signResponse(requestSignature: string, body: string): string
  isResponseSigned(requestSignature: string, body: string, signature: string): boolean
  /** Returns a keyed hash that distinguishes senders without naming them. */
  hashSender(text: string): string
}

/** @param secret that of all servers and workers (APP_SECRET) */
export function createWorkerSigner(secret: string): WorkerSigner {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'cardstock photo workers', 32))
  // The first word keeps a signature of one kind from passing for another.
  const sign = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind}\n${text}`).digest('base64url')
  const signResponse = (requestSignature: string, body: string) =>
    sign('response', `${requestSignature}\n${body}`)
  return {
    signRequest: (facts) => sign('request', facts),
    isRequestSigned: (facts, signature) => isEqual(sign('request', facts), signature),
    signResponse,
    isResponseSigned: (requestSignature, body, signature) =>
      isEqual(signResponse(requestSignature, body), signature),
    hashSender: (text) => sign('sender', text).slice(0, SENDER_LENGTH),
  }
}

/** 96 bits. */
const SENDER_LENGTH = 16

/** Returns the hash of a body for the facts of its request. */
export function hashBody(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url')
}

/** Compares in constant time. */
function isEqual(expected: string, actual: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)]
  return a.length === b.length && timingSafeEqual(a, b)
}
