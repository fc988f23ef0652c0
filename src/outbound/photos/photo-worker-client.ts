import type { CardPlacement } from '#rules/photos/page-cut.ts'
import {
  createWorkerSigner,
  hashBody,
  parseReply,
  WORKER_HEADERS,
  WORKER_PATHS,
  WORKER_PROTOCOL,
  type WorkerAnswer,
  type WorkerPath,
  type WorkerRequestFacts,
} from '#rules/photos/worker-messages.ts'
import { hasErrorCode } from '#rules/primitives/system-errors.ts'
import { describeNetworkError, readBody } from '../net/http-client.ts'

/** A photo worker on another machine. Its methods never reject. */
export type PhotoWorkerClient = {
  url: string
  /** Sends a photo. The worker receives the payer and the network of its sender only as keyed hashes. */
  read(photo: Uint8Array, request: PhotoToRead, signal: AbortSignal): Promise<WorkerAnswer>
  /** Sends a page, to be cut into photos of one card each. */
  cut(photo: Uint8Array, request: PhotoToRead, signal: AbortSignal): Promise<WorkerAnswer>
  /** Requests the state. Waits at most three seconds. */
  getState(): Promise<WorkerAnswer>
}

type PhotoToRead = {
  gameId: number | undefined
  sender: { network: string; payer: string }
  placement?: CardPlacement
}

/** @param secret APP_SECRET, shared by all servers and workers */
export function openPhotoWorker(url: string, secret: string): PhotoWorkerClient {
  const signer = createWorkerSigner(secret)

  async function send(
    path: WorkerPath,
    body: Uint8Array,
    sender: Pick<WorkerRequestFacts, 'network' | 'payer' | 'game_id' | 'placement'>,
    signal: AbortSignal,
  ): Promise<WorkerAnswer> {
    const request: WorkerRequestFacts = { path, time: Date.now(), body: hashBody(body), ...sender }
    const facts = JSON.stringify(request)
    const signature = signer.signRequest(facts)
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: {
          [WORKER_HEADERS.protocol]: String(WORKER_PROTOCOL),
          [WORKER_HEADERS.facts]: facts,
          [WORKER_HEADERS.signature]: signature,
        },
        body: new Uint8Array(body),
        signal,
        redirect: 'manual',
        // A worker may close a kept-alive connection at the moment of its reuse.
        keepalive: false,
      })
      const bytes = await readBody(response, REPLY_BYTES_MAX)
      return check(response, signature, new TextDecoder().decode(bytes))
    } catch (cause) {
      const isLost = !hasErrorCode(cause, ...NEVER_CONNECTED)
      return {
        kind: 'failed',
        why: describeNetworkError(cause, 'the worker', STATE_MS_MAX),
        isLost,
      }
    }
  }

  function check({ headers, status }: Response, request: string, body: string): WorkerAnswer {
    const protocol = headers.get(WORKER_HEADERS.protocol)
    if (protocol === null) return failed('the response is not that of a photo worker', CHECK_URL)
    if (protocol !== String(WORKER_PROTOCOL)) {
      return failed(`it has protocol ${protocol}, this server ${WORKER_PROTOCOL}`, UPGRADE)
    }
    if (status === 401) return failed('it rejected the signature', CHECK_SECRET)
    const signature = headers.get(WORKER_HEADERS.signature) ?? ''
    if (!signer.isResponseSigned(request, body, signature)) {
      return failed(`its response with status ${status} is not signed`, CHECK_SECRET)
    }
    return { kind: 'reply', reply: parseReply(body) }
  }

  function factsOf({ gameId, sender, placement }: PhotoToRead) {
    return {
      network: signer.hashSender(sender.network),
      payer: signer.hashSender(sender.payer),
      ...(gameId === undefined ? {} : { game_id: gameId }),
      ...(placement === undefined ? {} : { placement }),
    }
  }

  return {
    url,
    read: (photo, request, signal) => send(WORKER_PATHS.read, photo, factsOf(request), signal),
    cut: (photo, request, signal) => send(WORKER_PATHS.cut, photo, factsOf(request), signal),
    getState: () =>
      send(
        WORKER_PATHS.state,
        new Uint8Array(),
        { network: '', payer: '' },
        AbortSignal.timeout(STATE_MS_MAX),
      ),
  }
}

function failed(why: string, remedy: string): WorkerAnswer {
  return { kind: 'failed', why, remedy, isLost: false }
}

const CHECK_URL = 'Check its address in READERS.'
const UPGRADE = 'Upgrade the older of the two. Until then, other workers read its photos.'
const CHECK_SECRET =
  'Set the same APP_SECRET on both, and make sure that their clocks agree within five minutes.'

const STATE_MS_MAX = 3_000

/** The lines of 20 cards with their probabilities have 3 MB. */
const REPLY_BYTES_MAX = 32 * 1024 * 1024

/** Codes of a request that was not sent. */
const NEVER_CONNECTED = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Bun's own codes.
  'ConnectionRefused',
  'FailedToOpenSocket',
]
