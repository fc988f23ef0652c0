import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { askedBy, paying, settledBy } from './payer.ts'

/** What was answered to a photo. */
export type PhotoReply = {
  status: number
  headers: Headers
  /** Of a success; null of a refusal. */
  id: string | null
  /** Of a refusal; null of a success. */
  code: string | null
  body: {
    data?: { id: string; status: string }
    meta?: { charged: string | null; scans_remaining: number }
    error?: { code: string; message: string }
  }
  transaction: string | null
}

export const PAID_PATH = '/v1/identify?payment=x402'

/** Sends a photo as it is, once. */
export async function sendPhoto(
  url: string,
  photo: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  { path = PAID_PATH, signal }: { path?: string; signal?: AbortSignal } = {},
): Promise<PhotoReply> {
  const type = { 'content-type': 'image/webp' }
  const sent = {
    ...{ method: 'POST', headers: { ...type, ...headers }, body: photo },
    ...(signal !== undefined && { signal }),
  }
  return replyOf(await fetch(`${url}${path}`, sent))
}

export async function replyOf(response: Response): Promise<PhotoReply> {
  const { status, headers } = response
  const body: PhotoReply['body'] = await response.json()
  return {
    ...{ status, headers, body },
    id: body.data?.id ?? null,
    code: body.error?.code ?? null,
    transaction: headers.has('payment-response') ? settledBy(response).transaction : null,
  }
}

/** What the service asks for a photo. */
export async function askTerms(url: string): Promise<PaymentRequired> {
  return askedBy(await fetch(`${url}${PAID_PATH}`, { method: 'POST' }))
}

/** Longer than a signature is good for: whoever waits so long waits in vain. */
const PATIENCE_MS = 150_000

/**
 * Sends the same request until it is answered or refused for good, as a client should: a server that
 * is not there, or says that it may go better later, is asked again.
 *
 * @returns the last answer; undefined where patience ended first
 */
export async function insist(
  { url, photo, payment }: { url: string; photo: Uint8Array<ArrayBuffer>; payment: PaymentPayload },
  onReply: (reply: PhotoReply | undefined) => void = () => {},
): Promise<PhotoReply | undefined> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    const reply = await sendPhoto(url, photo, paying(payment)).catch(() => undefined)
    onReply(reply)
    if (reply !== undefined && !MAY_GO_BETTER.includes(reply.status)) return reply
    await Bun.sleep(PAUSE_MS)
  }
  return undefined
}

const MAY_GO_BETTER = [409, 429, 500, 502, 503]

/** Shorter than the service asks for, so that it is asked at bad moments too. */
const PAUSE_MS = 40
