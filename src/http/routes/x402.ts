import { createHash } from 'node:crypto'
import type { X402Settings } from '#config.ts'
import type { Deps } from '#deps.ts'
import {
  PHOTO_PRICE_ATOMIC,
  PHOTO_PRICE_DOLLARS,
  paidResource,
  paymentRequirement,
  TOKEN_DECIMALS,
  X402_VERSION,
} from '#rules/x402/x402-protocol.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { PaymentInfoSchema } from '../schemas/identify.ts'

/** How photos are paid one by one. */
export function x402Routes(
  keyEndpoints: KeyEndpoints,
  { config: { x402, publicUrl } }: Deps,
): void {
  const data = x402 === undefined ? OFF : infoOf(x402, publicUrl)
  // Settings change without the catalog's version: the answer then is another one.
  const variant = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16)
  keyEndpoints.getPublic('/v1/x402/info', {
    tag: 'Identify',
    summary: 'How to pay for one photo without an account',
    description: 'Payments by x402, version 2. All but `enabled` is null where they are not taken.',
    reply: PaymentInfoSchema,
    answer: () => ({ data, variant }),
  })
}

type Info = {
  enabled: boolean
  x402_version: number | null
  price: { dollars: number; atomic: string } | null
  scheme: string | null
  network: string | null
  asset: { address: string; name: string; version: string; decimals: number } | null
  pay_to: string | null
  facilitator_url: string | null
  resource: string | null
  max_timeout_seconds: number | null
  how_to_pay: string | null
}

const OFF: Info = {
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

function infoOf(settings: X402Settings, publicUrl: string): Info {
  const { scheme, network, asset, payTo, maxTimeoutSeconds, extra } = paymentRequirement(settings)
  const { url } = paidResource(publicUrl)
  // Without a name and password, which an address may carry.
  const { origin, pathname } = new URL(settings.facilitatorUrl)
  return {
    enabled: true,
    x402_version: X402_VERSION,
    price: { dollars: PHOTO_PRICE_DOLLARS, atomic: PHOTO_PRICE_ATOMIC },
    scheme,
    network,
    asset: { address: asset, ...extra, decimals: TOKEN_DECIMALS },
    pay_to: payTo,
    facilitator_url: `${origin}${pathname === '/' ? '' : pathname}`,
    resource: url,
    max_timeout_seconds: maxTimeoutSeconds,
    how_to_pay: `POST the photo to ${url}?payment=x402 with a client for x402: it is answered 402 with PAYMENT-REQUIRED, signs, and sends the photo again with PAYMENT-SIGNATURE.`,
  }
}
