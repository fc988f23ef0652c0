import { Type } from '@sinclair/typebox'
import { getScanUsage } from '#actions/photos/get-scan-usage.ts'
import { identifyPhoto } from '#actions/photos/identify-photo.ts'
import { getIdentification, reviewIdentification } from '#actions/photos/review-identification.ts'
import type { PaidPhotoRequest, PhotoPaymentHandler } from '#actions/x402/pay-for-photo.ts'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { jsonText } from '../endpoint/envelope.ts'
import type { IdentifyEndpoints, ScanAnswer } from '../endpoint/identify-endpoints.ts'
import { ID, line, stringEnum } from '../input/fields.ts'
import type { MetricsRegistry } from '../metrics/registry.ts'
import {
  IdentificationSchema,
  ReviewedSchema,
  ScanMetaSchema,
  ScanUsageSchema,
} from '../schemas/identify.ts'

const TAG = 'Identify'

const OPTIONS = {
  game: Type.Optional(line({ description: 'Slug of the game to search in; else in all of them.' })),
  include: Type.Optional(
    stringEnum(['prices'], { description: '`prices`: current prices of the top candidate.' }),
  ),
}

const UNKNOWN = { 404: 'The account has no such identification; they are kept for 30 days.' }

/** Cards by their photos, and the scans that this costs. */
export function identifyRoutes(
  doors: IdentifyEndpoints,
  deps: Deps,
  meter: MetricsRegistry,
  payments: PhotoPaymentHandler,
): void {
  const count = meter.counter(
    'cardstock_identifications_total',
    'Identifications by status.',
    'status',
  )
  const countPaid = meter.counter(
    'cardstock_photo_payments_total',
    'Requests that bring a payment for a photo, by what became of it.',
    'outcome',
  )
  const time = meter.histogram(
    'cardstock_identification_seconds',
    'From the whole photo to its answer, waiting included.',
    [0.1, 0.2, 0.35, 0.5, 1, 2, 5, 10, 20, 30],
  )

  doors.photo('/v1/identify', {
    tag: TAG,
    summary: 'Identify a card from one photo',
    description:
      'One photo (JPEG, PNG or WebP, at most 8 MB), sent as a form, as JSON or as it is. Uses one scan, also for a `retake`. An option may stand in the query or beside the photo, not in both. Where payments are set up (`/v1/x402/info`), a photo may be paid for without a key: with a payment by x402 in PAYMENT-SIGNATURE, which PAYMENT-RESPONSE confirms.',
    options: OPTIONS,
    refusals: {
      400: 'There is no photo that can be read, the game or an option is unknown, or the payment is none. No scan is used.',
      401: 'The key is missing, unknown or deactivated. PAYMENT-REQUIRED tells how to pay without one.',
      402: 'No scans are left, a payment is asked for (`?payment=x402`), or it is not accepted. PAYMENT-REQUIRED tells how to pay for this photo.',
      403: 'Photos are not read in the country of the caller. The scan comes back.',
      429: 'Too many photos of this payer are not paid for yet.',
      503: 'The reader is busy or stopped: Retry-After says when to try again. The scan comes back. Of a payment: nothing was paid, or it is on its way; the same photo with the same PAYMENT-SIGNATURE pays once.',
    },
    reply: IdentificationSchema,
    meta: ScanMetaSchema,
    async answer({ account_id, photo, options: { game, include }, request }) {
      const started = performance.now()
      const prices = include === 'prices'
      const country = countryOf(request)
      const answer = await identifyPhoto(deps, { account_id, photo, game, prices, country })
      count(answer.data.status)
      time((performance.now() - started) / 1000)
      return answer
    },
    async paid({ payment, photo, options: { game, include }, request }) {
      const prices = include === 'prices'
      return pay({ payment, photo, game, prices, country: countryOf(request) })
    },
  })

  async function pay(request: PaidPhotoRequest): Promise<ScanAnswer> {
    const started = performance.now()
    try {
      const { result, settlement, fresh } = await payments.handle(request)
      countPaid(fresh === undefined ? 'answered_again' : 'settled')
      if (fresh !== undefined) {
        count(fresh)
        time((performance.now() - started) / 1000)
      }
      const meta = { charged: 'payment', scans_remaining: 0 }
      return { data: jsonText(result), meta, settlement }
    } catch (cause) {
      const code = cause instanceof ServiceError ? cause.code : 'INTERNAL_ERROR'
      countPaid(code.toLowerCase())
      throw cause
    }
  }

  doors.account('GET', '/v1/identify/usage', {
    tag: TAG,
    summary: 'Scans: what is left, and the last 30 days',
    reply: ScanUsageSchema,
    answer: async ({ account_id }) => ({ data: await getScanUsage(deps, account_id) }),
  })

  doors.account('GET', '/v1/identify/:id', {
    tag: TAG,
    summary: 'Look up an identification',
    description: 'For 30 days. The photo itself is never kept.',
    params: { id: line({ description: "The identification's id." }) },
    refusals: UNKNOWN,
    reply: ReviewedSchema,
    answer: async ({ account_id, params: { id } }) => ({
      data: await getIdentification(deps, { account_id, id }),
    }),
  })

  doors.account('POST', '/v1/identify/:id/feedback', {
    tag: TAG,
    summary: 'Say which card it is',
    description: 'What was said last stands.',
    params: { id: line({ description: "The identification's id." }) },
    body: {
      card_id: Type.Union([ID, Type.Null()], {
        description: 'Any card of the catalog; null: it is none of them.',
      }),
    },
    refusals: UNKNOWN,
    reply: ReviewedSchema,
    answer: async ({ account_id, params: { id }, body }) => ({
      data: await reviewIdentification(deps, { account_id, id }, body.card_id),
    }),
  })

  /** The client's country as the operator's own proxy tells it; without one nobody can be believed. */
  function countryOf({ headers }: Request): string | undefined {
    const { trustedProxies, countryHeader } = deps.config
    if (trustedProxies === 0) return undefined
    return headers.get(countryHeader)?.trim().toUpperCase()
  }
}
