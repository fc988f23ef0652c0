// Messages between a server and its photo workers. Each has a signature (worker-signature.ts).
import type { ErrorCode } from '../primitives/errors.ts'
import type { CardPlacement, PageCut } from './page-cut.ts'
import type { PhotoObservation } from './photo-reading.ts'
import type { ReaderState } from './reader-state.ts'

/** Grows with each change of the messages or of an observation that the previous release would misread. */
export const WORKER_PROTOCOL = 1

export const WORKER_PATHS = { read: '/read', cut: '/cut', state: '/state' } as const
export type WorkerPath = (typeof WORKER_PATHS)[keyof typeof WORKER_PATHS]

export const WORKER_HEADERS = {
  /** In requests and responses, so that each side recognizes another version before anything else. */
  protocol: 'cardstock-protocol',
  /** The facts of a request, as JSON. */
  facts: 'cardstock-request',
  signature: 'cardstock-signature',
} as const

/** Facts of a request. They are signed, and the body through its hash. */
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
  /** Keyed hashes of the sender's network and payer, who take turns in the worker's queue. */
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
 * Answer of a worker to a server. A failure has a clause for the log, and the remedy if the operator has to act;
 * `isLost` is true if the connection ended while the worker may have been at work.
 */
export type WorkerAnswer =
  | { kind: 'reply'; reply: WorkerReply }
  | { kind: 'failed'; why: string; remedy?: string; isLost: boolean }

/** Time by which the clocks of two machines may differ. */
export const WORKER_CLOCK_MS_MAX = 5 * 60_000

/** Renders a reply as JSON, with the probabilities of each line and the photos of cards in base64. */
export function formatReply(reply: WorkerReply): string {
  return JSON.stringify(reply, (_, value) =>
    value instanceof Float32Array || value instanceof Uint8Array
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
      : value,
  )
}

/** Parses a reply. Its signature must be checked first: its members are not. */
export function parseReply(text: string): WorkerReply {
  return JSON.parse(text, (name, value) => {
    if (name === 'jpeg') return Uint8Array.fromBase64(value)
    return name === 'logProbabilities'
      ? new Float32Array(Uint8Array.fromBase64(value).buffer)
      : value
  })
}
