import { type Static, Type } from '@sinclair/typebox'
import { assertPhotoAccepted } from '#actions/photos/accept-photo.ts'
import { getScanUsage } from '#actions/photos/get-scan-usage.ts'
import { identifyPage } from '#actions/photos/identify-page.ts'
import { identifyPhoto, type PhotoRequest } from '#actions/photos/identify-photo.ts'
import { getIdentification, reviewIdentification } from '#actions/photos/review-identification.ts'
import type { PaidPhotoRequest } from '#actions/x402/pay-for-photo.ts'
import type { Deps } from '#deps.ts'
import { IDENTIFICATION_DAYS } from '#rules/operations/retention.ts'
import {
  ANSWER_DEADLINE_SECONDS,
  PAGE_READING_MS,
  PAGE_SECONDS_MAX,
} from '#rules/photos/deadlines.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { PAID_RESPONSE_SECONDS_MAX } from '#rules/x402/payment-timeouts.ts'
import { encodeHeader } from '#rules/x402/x402-protocol.ts'
import { clientCountry } from '../../endpoint/client-address.ts'
import { jsonText } from '../../endpoint/envelope.ts'
import { ID, line, PHOTO_GAME, PRICE_CHOICE, SCANS_MAX, stringEnum } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { PAGE_MAX_BYTES, photoBody } from '../../input/photo-body.ts'
import {
  IdentificationSchema,
  PageMetaSchema,
  PageSchema,
  ReviewedSchema,
  ScanMetaSchema,
  ScanUsageSchema,
} from '../../schemas/identify.ts'
import type { Server } from '../../server.ts'

const OPTIONS = {
  game: PHOTO_GAME,
  include: Type.Optional(
    stringEnum(
      ['prices', 'confidence', 'prices,confidence'],
      '`prices` adds the prices of the first candidate, `confidence` also how reliable each is.',
    ),
  ),
  ...PRICE_CHOICE,
}

const PAGE_OPTIONS = { ...OPTIONS, max_scans: SCANS_MAX }

/** Confidence includes the prices, because it is stated for each price. */
function includedPrices(include: string | undefined): { prices: boolean; confidence: boolean } {
  return {
    prices: include !== undefined,
    confidence: include?.includes('confidence') ?? false,
  }
}

/** Returns the scan balance header for an answer with the balance. */
export function scanBalance(remaining: number) {
  return [['x-scans-remaining', String(remaining)]] as const
}

/** Refusals of a photo of many cards. */
export const PAGE_REFUSALS = {
  400: 'The photo or an option is invalid. No scan is used.',
  401: 'The API key or the session is missing, unknown or deactivated.',
  402: 'No scans are left, or no trial scans are available in this network now.',
  403: 'Photos are not accepted from your country. The scan is refunded.',
  429: 'Too many of your photos are being read. Retry after the time in Retry-After. No scan is used.',
  503: 'The photo reader is busy or stopped. Retry after the time in Retry-After. The scans are refunded.',
}

const NOT_FOUND = {
  404: `Identification not found. They are kept for ${IDENTIFICATION_DAYS} days.`,
}

/** Identification of cards in photos, and the scans charged for it. */
export function identifyRoutes(
  { endpoint, metrics, photoMetrics: { countStatus, recordSeconds }, payments }: Server,
  deps: Deps,
): void {
  const countryOf = (request: Request) => clientCountry(deps.config, request)
  const countPaid = metrics.counter(
    'cardstock_photo_payments_total',
    'Requests with a payment for a photo, by outcome.',
    'outcome',
  )

  endpoint('POST /v1/identify', {
    auth: 'payer',
    hasScans: true,
    id: 'identifyCard',
    tag: 'Identify',
    summary: 'Identify a card from one photo',
    description:
      'Send one photo (JPEG, PNG or WebP, at most 8 MB) as a form, base64 JSON or raw bytes, with options in the query or beside it. Uses one scan, even for a `retake`. An x402 payment in PAYMENT-SIGNATURE can replace the key (`/v1/x402/info`).',
    query: OPTIONS,
    body: photoBody(OPTIONS),
    secondsMax: ({ kind }) =>
      kind === 'payment' ? PAID_RESPONSE_SECONDS_MAX : ANSWER_DEADLINE_SECONDS,
    refusals: {
      400: 'The photo, an option or the payment is invalid. No scan is used.',
      401: 'The API key is missing, unknown or deactivated. PAYMENT-REQUIRED has the terms without one.',
      402: 'No scans are left, no trial scans are available in this network now, payment terms were requested (`?payment=x402`), or the payment was rejected. PAYMENT-REQUIRED has the terms.',
      403: 'Photos are not accepted from your country. The scan is refunded.',
      429: 'Too many of your photos are being read or not settled yet. Retry after the time in Retry-After. No scan is used.',
      503: 'The photo reader is busy or stopped. Retry after the time in Retry-After. The scan is refunded. With a payment, send the same photo and PAYMENT-SIGNATURE again: you will not pay twice.',
    },
    returns: 'The candidates, best first.',
    reply: IdentificationSchema,
    meta: ScanMetaSchema,
    async accept({ principal, request, clientAddress: address }) {
      const account_id = principal.kind === 'payment' ? undefined : principal.account_id
      await assertPhotoAccepted(deps, { account_id, country: countryOf(request), address })
    },
    async respond({ principal, body: { photo, options }, request, clientAddress }) {
      const { game, include, ...choice } = options
      const client = { address: clientAddress, clientSignal: request.signal }
      const input = { photo, game, ...includedPrices(include), choice, ...client }
      return principal.kind === 'payment'
        ? pay({ ...input, payment: principal.payment, country: countryOf(request) })
        : identify({ ...input, account_id: principal.account_id })
    },
  })

  endpoint('POST /v1/identify/page', {
    auth: 'account',
    hasScans: true,
    id: 'identifyPage',
    tag: 'Identify',
    summary: 'Identify the cards of one photo',
    description:
      'Send one photo of up to 36 cards (JPEG, PNG or WebP, at most 16 MB), as to `/v1/identify`. Each `matched` or `ambiguous` card, or a photo without a card, uses one scan. Other cards use none, up to 100 a day, then one each.',
    query: PAGE_OPTIONS,
    body: photoBody(PAGE_OPTIONS, PAGE_MAX_BYTES),
    secondsMax: PAGE_SECONDS_MAX,
    refusals: PAGE_REFUSALS,
    returns: 'The cards by rows and columns, and the cards that stayed unread.',
    reply: PageSchema,
    meta: PageMetaSchema,
    async accept({ principal: { account_id }, request, clientAddress: address }) {
      const client = { country: countryOf(request), address }
      await assertPhotoAccepted(deps, { account_id, ...client, mayBePage: true })
    },
    async respond({ principal: { account_id }, body, request, clientAddress: address }) {
      const { photo, options } = body
      const { game, include, max_scans: scansMax, ...choice } = options
      const { data, settlement } = await identifyPage(deps, {
        account_id,
        address,
        clientSignal: request.signal,
        photo,
        game,
        choice,
        scansMax,
        ...includedPrices(include),
        signal: AbortSignal.timeout(PAGE_READING_MS),
      })
      for (const { status } of data.cards) countStatus(status)
      const { charged, credited, remaining } = settlement
      return {
        data,
        meta: { scans_charged: charged, scans_credited: credited, scans_remaining: remaining },
        headers: scanBalance(remaining),
      }
    },
  })

  async function identify(input: PhotoRequest) {
    const started = performance.now()
    const { data, settlement } = await identifyPhoto(deps, input)
    countStatus(data.status)
    recordSeconds((performance.now() - started) / 1000)
    const { charged, remaining } = settlement
    return {
      data,
      meta: { charged: charged > 0 ? 'scan' : null, scans_remaining: remaining },
      headers: scanBalance(remaining),
    }
  }

  async function pay(input: PaidPhotoRequest) {
    const started = performance.now()
    try {
      const { result, settlement, fresh } = await payments.handle(input)
      countPaid(fresh === undefined ? 'answered_again' : 'settled')
      if (fresh !== undefined) {
        countStatus(fresh)
        recordSeconds((performance.now() - started) / 1000)
      }
      return {
        data: jsonText<Static<typeof IdentificationSchema>>(result),
        meta: { charged: 'payment', scans_remaining: 0 },
        headers: [['payment-response', encodeHeader(settlement)], ...scanBalance(0)] as const,
      }
    } catch (cause) {
      const code = cause instanceof ServiceError ? cause.code : 'INTERNAL_ERROR'
      countPaid(code.toLowerCase())
      throw cause
    }
  }

  endpoint('GET /v1/identify/usage', {
    auth: 'account',
    hasScans: true,
    id: 'getScanUsage',
    tag: 'Identify',
    summary: 'Get the scan balance and usage',
    returns:
      'The balance, the usage of the last 30 days, the latest additions, and the picture index.',
    reply: ScanUsageSchema,
    async respond({ principal: { account_id } }) {
      const { remaining, ...data } = await getScanUsage(deps, account_id)
      return { data, headers: scanBalance(remaining) }
    },
  })

  endpoint('GET /v1/identify/:id', {
    auth: 'account',
    hasScans: true,
    id: 'getIdentification',
    tag: 'Identify',
    summary: 'Get an identification',
    description: `Kept for ${IDENTIFICATION_DAYS} days. The photo itself is never stored.`,
    params: { id: line({ description: 'ID of the identification.' }) },
    refusals: NOT_FOUND,
    returns: 'The identification.',
    reply: ReviewedSchema,
    respond: async ({ principal: { account_id }, params: { id } }) => ({
      data: jsonText(await getIdentification(deps, { account_id, id })),
    }),
  })

  endpoint('POST /v1/identify/:id/feedback', {
    auth: 'account',
    hasScans: true,
    id: 'sendIdentificationFeedback',
    tag: 'Identify',
    summary: 'Report the correct card',
    description: 'A later report replaces an earlier one.',
    params: { id: line({ description: 'ID of the identification.' }) },
    body: jsonObject({
      card_id: Type.Union([ID, Type.Null()], {
        description: 'ID of the correct card; null if it is not in the catalog.',
      }),
    }),
    refusals: NOT_FOUND,
    returns: 'The identification with its feedback.',
    reply: ReviewedSchema,
    respond: async ({ principal: { account_id }, params: { id }, body }) => ({
      data: jsonText(await reviewIdentification(deps, { account_id, id }, body.card_id)),
    }),
  })
}
