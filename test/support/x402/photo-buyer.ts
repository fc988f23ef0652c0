import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { paymentHeaders, paymentRequiredIn, paymentResponseIn } from './payer.ts'

/** The response to a photo. */
export type PhotoResponse = {
  status: number
  headers: Headers
  /** ID of the identification; null if refused. */
  id: string | null
  /** Error code; null on success. */
  code: string | null
  body: {
    data?: { id: string; status: string }
    meta?: { charged: string | null; scans_remaining: number }
    error?: { code: string; message: string }
  }
  transaction: string | null
}

export const PAID_PATH = '/v1/identify?payment=x402'

/** Sends an unchanged photo once. */
export async function sendPhoto(
  url: string,
  photo: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  { path = PAID_PATH, signal }: { path?: string; signal?: AbortSignal } = {},
): Promise<PhotoResponse> {
  const type = { 'content-type': 'image/webp' }
  const sent = {
    method: 'POST',
    headers: { ...type, ...headers },
    body: photo,
    ...(signal !== undefined && { signal }),
  }
  return parsePhotoResponse(await fetch(`${url}${path}`, sent))
}

export async function parsePhotoResponse(response: Response): Promise<PhotoResponse> {
  const { status, headers } = response
  const body: PhotoResponse['body'] = await response.json()
  return {
    status,
    headers,
    body,
    id: body.data?.id ?? null,
    code: body.error?.code ?? null,
    transaction: headers.has('payment-response') ? paymentResponseIn(response).transaction : null,
  }
}

/** Requests the payment terms of a photo. */
export async function requestTerms(url: string): Promise<PaymentRequired> {
  return paymentRequiredIn(await fetch(`${url}${PAID_PATH}`, { method: 'POST' }))
}

/** Longer than a signature is valid. */
const RETRY_LIMIT_MS = 150_000

/**
 * Repeats a request until it gets a response or is finally rejected, as clients should: a server that is unavailable
 * or sends Retry-After is called again.
 *
 * @returns the last response; undefined after a timeout
 */
export async function retryUntilAnswered(
  { url, photo, payment }: { url: string; photo: Uint8Array<ArrayBuffer>; payment: PaymentPayload },
  onReply: (reply: PhotoResponse | undefined) => void = () => {},
): Promise<PhotoResponse | undefined> {
  const deadline = performance.now() + RETRY_LIMIT_MS
  while (performance.now() < deadline) {
    const reply = await sendPhoto(url, photo, paymentHeaders(payment)).catch(() => undefined)
    onReply(reply)
    if (reply !== undefined && !RETRYABLE_STATUSES.includes(reply.status)) return reply
    await Bun.sleep(PAUSE_MS)
  }
  return undefined
}

const RETRYABLE_STATUSES = [409, 429, 500, 502, 503]

/** Shorter than the service requests, to meet more states. */
const PAUSE_MS = 40
