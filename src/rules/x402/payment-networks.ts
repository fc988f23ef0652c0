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
export const NETWORKS: Readonly<Record<string, Network>> = {
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

export const DEFAULT_NETWORK = 'eip155:8453'
