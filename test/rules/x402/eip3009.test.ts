import { describe, expect, test } from 'bun:test'
import { encodeFunctionData, pad, parseAbi, toEventSelector, toHex } from 'viem'
import {
  AUTHORIZATION_CANCELED,
  AUTHORIZATION_USED,
  authorizationStateCall,
  blockRanges,
  provesPayment,
  TRANSFER,
  usedUpTopics,
} from '#rules/x402/eip3009.ts'

const ASSET = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const FROM = '0xabababababababababababababababababababab'
const TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const NONCE = `0x${'5e'.repeat(32)}` as const
const PAYMENT = { asset: ASSET, from: FROM, to: TO, value: '20000', nonce: NONCE }

describe('the constants', () => {
  test('equal those that viem computes', () => {
    expect([AUTHORIZATION_USED, AUTHORIZATION_CANCELED, TRANSFER]).toEqual([
      toEventSelector('AuthorizationUsed(address,bytes32)'),
      toEventSelector('AuthorizationCanceled(address,bytes32)'),
      toEventSelector('Transfer(address,address,uint256)'),
    ])
  })

  test('produce the call that viem produces', () => {
    const abi = parseAbi(['function authorizationState(address, bytes32) view returns (bool)'])
    const call = { abi, functionName: 'authorizationState', args: [FROM, NONCE] } as const
    expect(authorizationStateCall(PAYMENT)).toBe(encodeFunctionData(call))
    expect(usedUpTopics(PAYMENT)).toEqual([
      [AUTHORIZATION_USED, AUTHORIZATION_CANCELED],
      pad(FROM),
      NONCE,
    ])
  })
})

describe('a transaction', () => {
  const used = { address: ASSET, topics: [AUTHORIZATION_USED, pad(FROM), NONCE], data: '0x' }
  const moved = {
    address: ASSET.toLowerCase(),
    topics: [TRANSFER, pad(FROM), pad(TO)],
    data: pad(toHex(20_000)),
  }

  test('pays if it uses the authorization and transfers the sum', () => {
    expect(provesPayment([{}, null, used, moved], PAYMENT)).toBe(true)
  })

  test.each([
    ['uses nothing', [moved]],
    ['moves nothing', [used]],
    ['cancels', [{ ...used, topics: [AUTHORIZATION_CANCELED, pad(FROM), NONCE] }, moved]],
    [
      'uses another nonce',
      [{ ...used, topics: [AUTHORIZATION_USED, pad(FROM), pad('0x1')] }, moved],
    ],
    ['pays somebody else', [used, { ...moved, topics: [TRANSFER, pad(FROM), pad(FROM)] }]],
    ['pays less', [used, { ...moved, data: pad(toHex(19_999)) }]],
    ['pays in another token', [used, { ...moved, address: TO }]],
    ['was undone', [used, { ...moved, removed: true }]],
    ['says nothing that can be read', [used, { ...moved, data: '0x' }]],
  ])('that %s does not', (_what, logs) => {
    expect(provesPayment(logs, PAYMENT)).toBe(false)
  })
})

describe('the searched blocks', () => {
  const covered = (ranges: [number, number][], number: number) =>
    ranges.some(([from, to]) => from <= number && number <= to)

  test.each([
    ['a block every 2 seconds', 2],
    ['four a second', 0.25],
    ['one every 12 seconds', 12],
  ])('include the time of a payment, with %s', (_pace, seconds) => {
    const latest = { number: 40_000_000, time: 1_800_000_000 }
    const earlier = { number: latest.number - 1_000, time: latest.time - 1_000 * seconds }
    for (const ago of [10, 130, 600]) {
      const ranges = blockRanges({ latest, earlier }, latest.time - ago)
      expect(covered(ranges, latest.number - Math.ceil(ago / seconds))).toBe(true)
      expect(covered(ranges, latest.number)).toBe(true)
    }
  })

  test('are few, in ranges that public nodes accept', () => {
    const latest = { number: 40_000_000, time: 1_800_000_000 }
    const earlier = { number: latest.number - 1_000, time: latest.time - 2_000 }
    expect(blockRanges({ latest, earlier }, latest.time - 180)).toHaveLength(1)
    const old = blockRanges({ latest, earlier }, 0)
    expect(old).toHaveLength(20)
    for (const [from, to] of old) expect(to - from).toBeLessThan(1_000)
  })

  test('are all blocks of a young chain', () => {
    const block = { number: 12, time: 1_800_000_000 }
    const first = { number: 0, time: 1_799_999_000 }
    expect(blockRanges({ latest: block, earlier: first }, 1_799_999_990)).toEqual([[0, 12]])
    expect(blockRanges({ latest: first, earlier: first }, 0)).toEqual([[0, 0]])
  })
})
