import type { X402Settings } from '#config.ts'
import { type Chain, openChain } from './chain.ts'
import { type Facilitator, openFacilitator } from './facilitator.ts'

/** The two machines that payments of photos need: who settles them, and who knows what became of them. */
export type X402 = { facilitator: Facilitator; chain: Chain }

export function openX402({ facilitatorUrl, rpcUrl, network }: X402Settings): X402 {
  return { facilitator: openFacilitator(facilitatorUrl), chain: openChain(rpcUrl, network) }
}
