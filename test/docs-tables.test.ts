/** Tables of the guides: limits of tiers, and prices of plans and packs, are those of the code. */
import { describe, expect, test } from 'bun:test'
import { DAILY_REQUESTS, historyDepth, TIERS, tierLimits, tierName } from '#rules/accounts/tiers.ts'
import { itemName, PACKS, PLANS, PRICE_CENTS } from '#rules/billing/plans.ts'
import { listRows, readDocument } from './support/operations/documents.ts'

describe('tables of the guides', () => {
  const NAMES = new RegExp(`^(${TIERS.map(tierName).join('|')})$`)
  const rowsOf = (page: string) =>
    listRows(`docs/guides/${page}.md`, NAMES).map(([, ...cells]) => cells.map(readNumber))

  test('state the requests of each tier', () => {
    const requests = rowsOf('accounts/keys').map(([number]) => number)
    expect(requests).toEqual(TIERS.map((tier) => DAILY_REQUESTS[tier]))
    const text = readDocument('docs/guides/accounts/keys.md')
    expect(text).toContain(`card history of ${historyDepth('hobby')} days`)
    expect(text).toContain(`history of ${historyDepth('starter')} days`)
  })

  test('state the collections and items of each tier', () => {
    const limits = TIERS.map((tier) => tierLimits({ tier }))
    expect(rowsOf('collections/collections')).toEqual(
      limits.map(({ collections, items }) => [collections, items]),
    )
  })

  test('state the price alerts of each tier', () => {
    expect(rowsOf('alerts/watching')).toEqual(TIERS.map((tier) => [tierLimits({ tier }).alerts]))
  })

  test('state the prices of plans and packs', () => {
    const rows = listRows('docs/guides/billing/billing.md', NAMES).map((cells) =>
      cells.map(withoutSign),
    )
    expect(rows).toEqual(
      PLANS.map((plan, index) => {
        const pack = PACKS[index] ?? 'scans_1000'
        return [tierName(plan), dollars(plan), '', itemName(pack), dollars(pack)]
      }),
    )
  })

  const withoutSign = (cell: string) => cell.replace('$', '')
  const dollars = (item: (typeof PLANS | typeof PACKS)[number]) => String(PRICE_CENTS[item] / 100)
})

function readNumber(cell: string): number {
  return Number(cell.replaceAll(',', ''))
}
