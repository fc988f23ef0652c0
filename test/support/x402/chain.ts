import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hash,
  type Hex,
  http,
  type LocalAccount,
  nonceManager,
  parseAbi,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { anvil } from 'viem/chains'
import { findFreePort } from '../free-port.ts'
import { compileContracts } from './compile-contracts.ts'

/** A transfer by signature, as recorded on the chain. */
export type ChainTransfer = {
  from: Address
  nonce: Hex
  to: Address
  /** In millionths of a dollar. */
  amount: bigint
  transaction: Hash
}

export type Chain = NonNullable<Awaited<ReturnType<typeof startChain>>>

/** Price of a photo, in millionths of a dollar. */
export const PHOTO_PRICE = 20_000n

/** The chain of anvil. */
export const NETWORK = `eip155:${anvil.id}` as const

const DOLLAR = parseAbi([
  'function balanceOf(address holder) view returns (uint256)',
  'function mint(address to, uint256 amount)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** Address of Multicall3 on every chain. */
const MANY_CALLS_AT = '0xcA11bde05977b3631167028862bE2a173976CA11'

/**
 * Starts a local chain with its own dollar token: real blocks, contracts and signatures, and a block for each
 * transaction. Undefined, with a message, if this platform has no anvil or it does not start.
 */
export async function startChain() {
  const started = await startAnvil()
  if (typeof started === 'string') {
    console.info(`${started}: nothing is paid on a real chain`)
    return undefined
  }
  const { rpcUrl, close } = started
  try {
    return { ...(await deployContracts(rpcUrl)), rpcUrl, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** Starts a node; returns the reason if it does not start. */
async function startAnvil(): Promise<{ rpcUrl: string; close(): Promise<void> } | string> {
  const binary = anvilBinary()
  if (binary === undefined) return `no anvil for ${process.platform} ${process.arch}`
  const port = await findFreePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  const args = ['--port', String(port), '--chain-id', String(anvil.id), '--accounts', '0']
  const child = Bun.spawn([binary, ...args, '--silent', ...MINING], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const close = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) })
  const deadline = performance.now() + START_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const isUp = await client.getChainId().then(
      () => true,
      () => false,
    )
    if (isUp) return { rpcUrl, close }
    await Bun.sleep(5)
  }
  await close()
  return 'anvil did not start'
}

// anvil may leave one of several simultaneous transactions pending until the next one, so it mines
// a block each second. Without history, a query during a new block fails.
const MINING = ['--mixed-mining', '--block-time', '1']

const START_MS = 60_000

/** Returns the program in this platform's package, which is a dependency of anvil's own. */
function anvilBinary(): string | undefined {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as string]
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  try {
    const ofAnvil = createRequire(
      Bun.resolveSync('@foundry-rs/anvil/package.json', import.meta.dir),
    )
    const found = ofAnvil.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/package.json`)
    return Bun.which(join(dirname(found), 'bin', name)) ?? undefined
  } catch {
    return undefined
  }
}

/** Deploys the contracts, and returns functions for tests. */
async function deployContracts(rpcUrl: string) {
  const transport = http(rpcUrl)
  const quick = { chain: anvil, transport, pollingInterval: 5, cacheTime: 0 } as const
  const node = createPublicClient(quick)
  const tools = createTestClient({ ...quick, mode: 'anvil' })

  /** Creates an account that can pay for transactions. */
  async function openWallet(): Promise<LocalAccount> {
    // Concurrent transactions need consecutive numbers.
    const account = privateKeyToAccount(generatePrivateKey(), { nonceManager })
    await tools.setBalance({ address: account.address, value: parseEther('1000') })
    return account
  }

  const { TestDollar, ManyCalls } = await compileContracts(['TestDollar', 'ManyCalls'])
  const operator = createWalletClient({ ...quick, account: await openWallet() })
  const done = async (sent: Promise<Hash>) => {
    const receipt = await node.waitForTransactionReceipt({ hash: await sent })
    if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} failed`)
    return receipt
  }
  const [{ contractAddress }] = await Promise.all([
    done(operator.deployContract(TestDollar)),
    tools.setCode({ address: MANY_CALLS_AT, bytecode: ManyCalls.runtime }),
  ])
  if (!contractAddress) throw new Error('the dollar has no address')
  const asset = contractAddress
  const dollar = { address: asset, abi: DOLLAR } as const

  return {
    asset,
    openWallet,
    /** Creates an account with the given millionths of a dollar, and nothing else. */
    async createFundedAccount(amount: bigint): Promise<LocalAccount> {
      const account = privateKeyToAccount(generatePrivateKey())
      if (amount > 0n) {
        const args = [account.address, amount] as const
        await done(operator.writeContract({ ...dollar, functionName: 'mint', args }))
      }
      return account
    },
    /** Returns an unused address. */
    newAddress: (): Address => privateKeyToAccount(generatePrivateKey()).address,
    balanceOf: (holder: Address): Promise<bigint> =>
      node.readContract({ ...dollar, functionName: 'balanceOf', args: [holder] }),
    /** Returns every payment by signature since the first block. */
    async transfers(): Promise<ChainTransfer[]> {
      const all = { ...dollar, fromBlock: 0n, strict: true } as const
      const [used, moved] = await Promise.all([
        node.getContractEvents({ ...all, eventName: 'AuthorizationUsed' }),
        node.getContractEvents({ ...all, eventName: 'Transfer' }),
      ])
      const transfers = new Map(moved.map((log) => [log.transactionHash, log.args]))
      return used.map(({ args: { authorizer, nonce }, transactionHash }) => {
        const transfer = transfers.get(transactionHash)
        if (transfer?.from !== authorizer) throw new Error(`${transactionHash} moved nothing`)
        return {
          from: authorizer,
          nonce,
          to: transfer.to,
          amount: transfer.value,
          transaction: transactionHash,
        }
      })
    },
  }
}
