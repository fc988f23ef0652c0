// Individually paid photos on a real chain: what a payer who signs more than it sends can gain from one transfer, and
// what a client with a key pays. The reader is a fake that can be paused.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  type LocalAccount,
  parseAbi,
  parseSignature,
  publicActions,
} from 'viem'
import { anvil } from 'viem/chains'
import { readConfig } from '#config.ts'
import { openX402Clients } from '#outbound/x402/x402.ts'
import { fakeReader, OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../../support/test-app.ts'
import { type Chain, NETWORK, PHOTO_PRICE, startChain } from '../../support/x402/chain.ts'
import { type Facilitator, startFacilitator } from '../../support/x402/facilitator.ts'
import {
  type Authorization,
  authorizationOf,
  createPayer,
  paymentHeaders,
} from '../../support/x402/payer.ts'
import { parsePhotoResponse, requestTerms, sendPhoto } from '../../support/x402/photo-buyer.ts'

const chain = await startChain()
if (chain === undefined)
  test.skip('malicious payers on a real chain, where one is available', () => {})
else describe('on a real chain', () => promises(chain))

const DOLLAR = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])

const MANY_CALLS = parseAbi([
  'struct Call { address target; bytes callData; }',
  'function tryAggregate(bool requireSuccess, Call[] calls) payable returns ((bool,bytes)[])',
])
const MANY_CALLS_AT = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** The signed message as defined by EIP-3009. */
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

function promises(chain: Chain): void {
  const payTo = chain.newAddress()
  let facilitator: Facilitator
  let testApp: TestApp
  let url: string
  /** No photo is read before this time. */
  let readable = Promise.resolve()

  beforeAll(async () => {
    facilitator = await startFacilitator(chain)
    const env = {
      X402_PAY_TO: payTo,
      X402_FACILITATOR_URL: facilitator.url,
      X402_RPC_URL: chain.rpcUrl,
      X402_NETWORK: NETWORK,
      X402_ASSET: chain.asset,
      X402_ASSET_NAME: 'USDC',
      X402_ASSET_VERSION: '2',
    }
    const terms = readConfig({ PUBLIC_URL, ...env }).x402
    if (terms === undefined) throw new Error('no payments are taken')
    const reader = fakeReader()
    reader.script(async () => {
      await readable
      return OBSERVATION
    })
    testApp = await createTestApp({ onDisk: true, env, reader, x402: openX402Clients(terms) })
    // The chain uses the clock of this machine.
    testApp.setClock(new Date().toISOString())
    url = testApp.listen().url
  })
  afterAll(async () => {
    await facilitator.close()
    await chain.close()
  })

  /** Returns the transfers on the chain during a call, in prices of a photo. */
  async function paidDuring(action: () => Promise<unknown>): Promise<number> {
    const before = await chain.balanceOf(payTo)
    await action()
    return Number((await chain.balanceOf(payTo)) - before) / Number(PHOTO_PRICE)
  }

  /** Creates the call that uses an authorization, which its payer signs once more. */
  async function useOf(account: LocalAccount, authorization: Authorization) {
    const { from, to, nonce } = authorization
    const value = BigInt(authorization.value)
    const validAfter = BigInt(authorization.validAfter)
    const validBefore = BigInt(authorization.validBefore)
    const signature = await account.signTypedData({
      domain: { name: 'USDC', version: '2', chainId: anvil.id, verifyingContract: chain.asset },
      types: TYPES,
      primaryType: 'TransferWithAuthorization',
      message: { from, to, value, validAfter, validBefore, nonce },
    })
    const { r, s, yParity } = parseSignature(signature)
    const args = [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s] as const
    const functionName = 'transferWithAuthorization'
    return {
      target: chain.asset,
      callData: encodeFunctionData({ abi: DOLLAR, functionName, args }),
    }
  }

  /** Sends a transaction of many calls that succeeds or fails as a whole. */
  async function callTogether(calls: readonly { target: Hex; callData: Hex }[]): Promise<void> {
    const wallet = createWalletClient({
      account: await chain.openWallet(),
      chain: anvil,
      transport: http(chain.rpcUrl),
      pollingInterval: 5,
    }).extend(publicActions)
    const args = [true, calls] as const
    const data = encodeFunctionData({ abi: MANY_CALLS, functionName: 'tryAggregate', args })
    const hash = await wallet.sendTransaction({ to: MANY_CALLS_AT, data })
    const { status } = await wallet.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${hash} failed`)
  }

  test('one transfer pays for one photo, however many payments its transaction contains', async () => {
    const account = await chain.createFundedAccount(100n * PHOTO_PRICE)
    const payer = createPayer(account, chain.asset)
    const offers = await requestTerms(url)
    const photos = [PHOTO.jpeg, PHOTO.png, PHOTO.webp, Uint8Array.from([...PHOTO.jpeg, 0])]
    const sent = await Promise.all(
      photos.map(async (photo) => ({ photo, payment: await payer.sign(offers) })),
    )
    const reading = Promise.withResolvers<void>()
    readable = reading.promise
    const verified = Promise.withResolvers<void>()
    let count = 0
    facilitator.script({
      afterVerify: () => (++count === sent.length ? verified.resolve() : undefined),
    })

    const codes: (string | null)[] = []
    const paid = await paidDuring(async () => {
      const replies = sent.map(({ photo, payment }) =>
        sendPhoto(url, photo, paymentHeaders(payment)),
      )
      await verified.promise
      // All but the first transfer go to the payer itself, so nothing moves; the first one pays.
      const toItself = { to: account.address, value: '0' }
      const calls = sent.map(({ payment }, at) =>
        useOf(account, { ...authorizationOf(payment), ...(at > 0 && toItself) }),
      )
      await callTogether(await Promise.all(calls))
      reading.resolve()
      for (const reply of await Promise.all(replies)) codes.push(reply.code)
    })
    facilitator.script()
    expect([paid, codes]).toEqual([1, [null, ...Array(3).fill('PAYMENT_REJECTED')]])
  })

  test('a client with a key and no scans left pays for that one photo', async () => {
    const labeled = { 'content-type': 'image/jpeg' }
    const body = PHOTO.jpeg
    for (let left = 25; left > 0; left--) {
      const options = { as: 'free', body, headers: labeled } as const
      expect((await testApp.client.request('POST', '/v1/identify', options)).status).toBe(200)
    }
    const usage = async () =>
      (await testApp.client.get('/v1/identify/usage', { as: 'free' })).body.data
    const had = await usage()
    const payer = createPayer(await chain.createFundedAccount(2n * PHOTO_PRICE), chain.asset)
    const headers = { ...labeled, 'x-api-key': testApp.keys.free }
    const paid = await paidDuring(async () => {
      const reply = await parsePhotoResponse(
        await payer.fetch(`${url}/v1/identify`, { method: 'POST', headers, body }),
      )
      const meta = { charged: 'payment', scans_remaining: 0 }
      expect([reply.status, reply.body.meta]).toEqual([200, meta])
      expect(reply.headers.get('x-scans-remaining')).toBe('0')
    })
    expect([paid, await usage()]).toEqual([1, had])
  })
}
