import { createHash } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import type { X402Settings } from '#config/payments.ts'
import type { Deps } from '#deps.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { PHOTO_PRICE_ATOMIC, PHOTO_PRICE_CENTS, TOKEN_DECIMALS } from '#rules/x402/photo-price.ts'
import { paidResource, paymentRequirement, X402_VERSION } from '#rules/x402/x402-protocol.ts'
import { PaymentInfoSchema } from '../../schemas/identify.ts'
import type { Server } from '../../server.ts'

/** Payment terms of a single photo. */
export function x402Routes({ endpoint }: Server, { config: { x402, publicUrl } }: Deps): void {
  const data = x402 === undefined ? OFF : paymentInfo(x402, publicUrl)
  // The settings can change without the catalog version.
  const variant = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16)
  endpoint('GET /v1/x402/info', {
    auth: 'anyone',
    id: 'getPaymentInfo',
    tag: 'Identify',
    summary: 'Get the terms of paying for one photo without an account',
    description: 'x402, version 2. If disabled, all other members are null.',
    returns: 'The payment terms; null if payments are disabled.',
    reply: PaymentInfoSchema,
    respond: () => ({ data, variant }),
  })
}

type PaymentInfo = Static<typeof PaymentInfoSchema>

const OFF: PaymentInfo = {
  enabled: false,
  x402_version: null,
  price: null,
  scheme: null,
  network: null,
  asset: null,
  pay_to: null,
  facilitator_url: null,
  resource: null,
  max_timeout_seconds: null,
  how_to_pay: null,
}

function paymentInfo(settings: X402Settings, publicUrl: string): PaymentInfo {
  const { scheme, network, asset, payTo, maxTimeoutSeconds, extra } = paymentRequirement(settings)
  const { url } = paidResource(publicUrl)
  // Without the user name and password that the URL may contain.
  const { origin, pathname } = new URL(settings.facilitatorUrl)
  return {
    enabled: true,
    x402_version: X402_VERSION,
    price: { dollars: toDollars(PHOTO_PRICE_CENTS), atomic: PHOTO_PRICE_ATOMIC },
    scheme,
    network,
    asset: { address: asset, ...extra, decimals: TOKEN_DECIMALS },
    pay_to: payTo,
    facilitator_url: `${origin}${pathname === '/' ? '' : pathname}`,
    resource: url,
    max_timeout_seconds: maxTimeoutSeconds,
    how_to_pay: `POST the photo to ${url}?payment=x402 with an x402 client. It receives a 402 with PAYMENT-REQUIRED, signs the payment, and sends the photo again with PAYMENT-SIGNATURE.`,
  }
}
