import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import { openLedger } from '#store/open-ledger.ts'
import { createLedgerFile, FROZEN_TIME } from '../../support/test-app.ts'

test('the log of the ledger stays small, because a commit that empties it holds up all requests', async () => {
  const { folder, accounts, close } = await createLedgerFile()
  const ledger = openLedger(folder)
  const now = new Date(FROZEN_TIME)
  const list = { id: 'col_1', account_id: accounts.pro, kind: 'owned', name: 'Stock' } as const
  await ledger.lists.create(list, 1, now)
  for (let start = 0; start < 10_000; start += 100) {
    const items = Array.from({ length: 100 }, (_, at) => ({
      ...UNKNOWN_HOLDING,
      id: `item_${String(start + at).padStart(6, '0')}`,
      card_id: 1,
      name: 'Cindle',
      number: null,
      game: 'magic',
      set_id: 1,
      set_name: 'Set',
      printing: 'Normal',
      quantity: 1,
      note: 'x'.repeat(1_000),
    }))
    expect(await ledger.listItems.add(list.id, items, 10_000, now)).toBe('added')
  }
  // 1,000 pages of 4 KiB, and those of the last transactions.
  expect(statSync(join(folder, 'ledger.db-wal')).size).toBeLessThan(6_000_000)
  ledger.close()
  close()
})
