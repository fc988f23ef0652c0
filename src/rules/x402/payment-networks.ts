/** A network whose token pays for photos, by its CAIP-2 name. */
type Network = {
  /** The token's contract. */
  asset: string
  /** What its EIP-712 domain is called: signatures hold for no other token. */
  asset_name: string
  asset_version: string
  /** A public node that can be asked what became of a payment. */
  rpc_url: string
}

/** Base and its test network with USDC (x402 specification v2; @x402/evm 2.27.0, its default assets). */
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
