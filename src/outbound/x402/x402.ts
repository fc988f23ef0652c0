import type { X402Settings } from '#config/payments.ts'
import { type ChainClient, openChainClient } from './chain.ts'
import { type Facilitator, openFacilitator } from './facilitator.ts'

/** Clients for photo payments: the facilitator settles them, and the chain reports their state. */
export type X402Clients = { facilitator: Facilitator; chain: ChainClient }

export function openX402Clients({ facilitatorUrl, rpcUrl, network }: X402Settings): X402Clients {
  return { facilitator: openFacilitator(facilitatorUrl), chain: openChainClient(rpcUrl, network) }
}
