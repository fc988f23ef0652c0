// Messages between a server and its photo workers. Each has a signature (worker-signature.ts).

import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { ErrorCode } from '../primitives/errors.ts'
import type { CardPlacement, PageCut } from './page-cut.ts'
import type { PhotoObservation } from './photo-reading.ts'
import type { ReaderState } from './reader-state.ts'

/** Increased with each change of the messages or of an observation that the previous release would misread. */
export const WORKER_PROTOCOL = 1

export const WORKER_PATHS = { read: '/read', cut: '/cut', state: '/state' } as const
export type WorkerPath = (typeof WORKER_PATHS)[keyof typeof WORKER_PATHS]

export const WORKER_HEADERS = {
  /** Part of requests and responses, so that each side recognizes another version before anything else. */
  protocol: 'cardstock-protocol',
  /** The facts of a request, as JSON. */
  facts: 'cardstock-request',
  signature: 'cardstock-signature',
} as const

/** Facts of a request. They are signed directly, the body through its hash. */
export type WorkerRequestFacts = {
  path: WorkerPath
  /** Milliseconds since 1970. */
  time: number
  /** SHA-256 of the body, in base64url. */
  body: string
  /** Game to which the search is restricted. */
  game_id?: number
  /** Place of the card in a photo that was cut out of a page. */
  placement?: CardPlacement
  /** Keyed hashes of the sender's network and payer, which take turns in the worker's queue. */
  network: string
  payer: string
}

/** Result of one photo. `stopping` means that the worker has not read it. */
export type WorkerResult =
  | { kind: 'read'; observation: PhotoObservation }
  | { kind: 'cut'; cut: PageCut }
  | {
      kind: 'refused'
      code: ErrorCode
      message: string
      isDamaged: boolean
      retryAfter: number | undefined
    }
  | { kind: 'stopping' }

/** Body of a response. Every response has the state, which decides where the next photo goes. */
export type WorkerReply = { state: ReaderState; result?: WorkerResult }

/**
 * Answer of a worker to a server. A failure has a clause for the log, and a remedy if the operator must act; `isLost`
 * is true if the connection ended while the worker may have been reading.
 */
export type WorkerAnswer =
  | { kind: 'reply'; reply: WorkerReply }
  | { kind: 'failed'; why: string; remedy?: string; isLost: boolean }

/** Maximum difference between the clocks of two machines. */
export const WORKER_CLOCK_MS_MAX = 5 * 60_000

/** Renders a reply as JSON, with the probabilities of each line and the photos of cards in base64. */
export function formatReply(reply: WorkerReply): string {
  return JSON.stringify(reply, (_, value) =>
    value instanceof Float32Array || value instanceof Uint8Array
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
      : value,
  )
}

/** Parses a reply. Check its signature first: the members are not validated. */
export function parseReply(text: string): WorkerReply {
  return JSON.parse(text, (name, value) => {
    if (name === 'jpeg') return Uint8Array.fromBase64(value)
    return name === 'logProbabilities'
      ? new Float32Array(Uint8Array.fromBase64(value).buffer)
      : value
  })
}

/**
 * Signs the messages between servers and photo workers, with a key that is derived from their common secret.
 *
 * A request that is repeated within five minutes is valid. That is harmless: reading a photo changes nothing, and the
 * observation only goes to somebody who has the photo. It costs the worker a second.
 */
type WorkerSigner = {
  signRequest(facts: string): string
  isRequestSigned(facts: string, signature: string): boolean
  /** Signs a response together with its request, so that it fits no other request. */
  signResponse(requestSignature: string, body: string): string
  isResponseSigned(requestSignature: string, body: string, signature: string): boolean
  /** Returns a keyed hash that distinguishes senders without naming them. */
  hashSender(text: string): string
}

/** @param secret secret of all servers and workers (APP_SECRET) */
export function createWorkerSigner(secret: string): WorkerSigner {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'cardstock photo workers', 32))
  // The first word prevents a signature of one kind from being used as another.
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
