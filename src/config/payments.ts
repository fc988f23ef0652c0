import { BILLABLE_ITEMS, type BillableItem } from '#rules/billing/plans.ts'
import { type Environment, HTTP, type SettingReader } from './setting-reader.ts'

/** How subscriptions and scans are paid. */
export type BillingSettings =
  | {
      provider: 'stripe'
      secretKey: string
      /** Signing secrets of the event endpoint; several during a rotation. */
      webhookSecrets: readonly string[]
      apiUrl: string
      /** Stripe price IDs; items without one are priced by `rules/billing`. */
      prices: Partial<Record<BillableItem, string>>
    }
  | {
      /** Paid directly to the operator. */
      provider: 'manual'
      /** How people can contact the operator. */
      contact: string | undefined
      /** True if checkouts complete themselves, for development. */
      autopay: boolean
    }
  | { provider: 'off' }

/** Addresses are `0x` and 40 hexadecimal digits, in any case. */
export type X402Settings = {
  payTo: string
  facilitatorUrl: string
  /** CAIP-2 name: `eip155:` and the chain ID. */
  network: string
  asset: string
  assetName: string
  assetVersion: string
  /** Node of the network that confirms payments. */
  rpcUrl: string
}

export function readBilling(env: Environment, read: SettingReader): BillingSettings {
  const provider = read.choice('BILLING_PROVIDER', ['auto', 'stripe', 'manual', 'off'], 'auto')
  const secretKey = env.STRIPE_SECRET_KEY ?? ''
  const webhookSecrets = read.list('STRIPE_WEBHOOK_SECRET', () => true, '')
  const apiUrl = read.url('STRIPE_API_URL', HTTP) ?? 'https://api.stripe.com'
  const autopay = read.flag('BILLING_DEV_AUTOPAY', false)
  if (provider === 'off') return { provider }
  const isSet = secretKey !== '' || webhookSecrets.length > 0
  if (provider === 'manual' || (provider === 'auto' && !isSet)) {
    return { provider: 'manual', contact: env.BILLING_CONTACT || undefined, autopay }
  }
  if (secretKey === '') read.fault('STRIPE_SECRET_KEY is missing. Copy it from Stripe: API keys.')
  if (webhookSecrets.length === 0) {
    read.fault('STRIPE_WEBHOOK_SECRET is missing. Copy it from your webhook endpoint at Stripe.')
  }
  const prices = Object.fromEntries(
    BILLABLE_ITEMS.flatMap((item) => {
      const price = env[`STRIPE_PRICE_${item.toUpperCase()}`]
      return price ? [[item, price]] : []
    }),
  )
  return { provider: 'stripe', secretKey, webhookSecrets, apiUrl, prices }
}

export function readX402(env: Environment, read: SettingReader): X402Settings | undefined {
  const address = (name: string) =>
    read.match(name, /^0x[0-9a-f]{40}$/i, 'an address of 0x and 40 hexadecimal digits', undefined)
  const payTo = address('X402_PAY_TO')
  const token = address('X402_ASSET')
  const facilitatorUrl = read.url('X402_FACILITATOR_URL', HTTP)
  const chain = /^eip155:[1-9]\d{0,15}$/
  const network = read.match('X402_NETWORK', chain, 'eip155: and a chain ID', DEFAULT_NETWORK)
  const rpcUrl = read.url('X402_RPC_URL', HTTP)
  if (payTo === undefined && facilitatorUrl === undefined) return undefined
  const known = NETWORKS[network]
  const isKnownToken = token === undefined || token.toLowerCase() === known?.asset.toLowerCase()
  const settings = {
    payTo,
    facilitatorUrl,
    network,
    asset: token ?? known?.asset,
    assetName: env.X402_ASSET_NAME || (isKnownToken ? known?.asset_name : undefined),
    assetVersion: env.X402_ASSET_VERSION || (isKnownToken ? known?.asset_version : undefined),
    rpcUrl: rpcUrl ?? known?.rpc_url,
  }
  const unknown = 'is missing. Set it, because the network or its token is unknown.'
  const missing = [
    ['payTo', 'X402_PAY_TO is missing. Set it to the address that receives payments.'],
    ['facilitatorUrl', 'X402_FACILITATOR_URL is missing. Set it to the facilitator that settles.'],
    ['asset', `X402_ASSET ${unknown}`],
    ['assetName', `X402_ASSET_NAME ${unknown}`],
    ['assetVersion', `X402_ASSET_VERSION ${unknown}`],
    ['rpcUrl', `X402_RPC_URL ${unknown}`],
  ] as const
  for (const [member, text] of missing) if (settings[member] === undefined) read.fault(text)
  return isComplete(settings) ? settings : undefined
}

function isComplete(
  settings: Record<keyof X402Settings, string | undefined>,
): settings is X402Settings {
  return Object.values(settings).every((value) => value !== undefined)
}

/** A network and its payment token, by CAIP-2 name. */
type Network = {
  /** Contract of the token. */
  asset: string
  /** EIP-712 domain name: signatures are valid for this token only. */
  asset_name: string
  asset_version: string
  /** Public node that reports the state of a payment. */
  rpc_url: string
}

/**
 * Base and its test network with USDC (x402 specification v2; default assets of @x402/evm 2.27.0).
 */
const NETWORKS: Readonly<Record<string, Network>> = {
  'eip155:8453': {
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    asset_name: 'USD Coin',
    asset_version: '2',
    rpc_url: 'https://mainnet.base.org',
  },
  'eip155:84532': {
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    asset_name: 'USDC',
    asset_version: '2',
    rpc_url: 'https://sepolia.base.org',
  },
}

const DEFAULT_NETWORK = 'eip155:8453'
