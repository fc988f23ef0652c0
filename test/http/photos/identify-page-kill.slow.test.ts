// A process that is killed while it identifies a page: the page is charged as a whole or not at all.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { openLedger } from '#store/open-ledger.ts'
import {
  killRepeatedly,
  readRecordFile,
  sizedFor,
  startKillable,
  waitForRecord,
} from '../../support/chaos.ts'
import type { PageTask } from '../../support/photos/page-process.ts'
import { createLedgerFile } from '../../support/test-app.ts'

const PROCESS = 'test/support/photos/page-process.ts'
const CARDS = 9
const ROUNDS = sizedFor(6, 60)
const GRANTED = 1_000

/** Length of a card's record. */
const LINE_BYTES = '{"card":true}\n'.length

test(`a page of ${CARDS} cards whose process is killed ${ROUNDS} times is charged as a whole or not at all`, async () => {
  const { folder, accounts, close } = await createLedgerFile()
  const account_id = accounts.free
  const ledger = openLedger(folder)
  const start = new Date()
  const grant = { account_id, n: GRANTED, ref: 'of this test' }
  await ledger.scans.grant(grant, { now: start, address: undefined })
  let expected = GRANTED
  const charges: number[] = []
  const recordOf = (round: number) => join(folder, `record-${round}`)
  await killRepeatedly({
    isOver: (round) => round === ROUNDS,
    start: (round) =>
      startKillable(PROCESS, {
        folder,
        record: recordOf(round),
        account_id,
        cards: CARDS,
      } satisfies PageTask),
    // After each number of cards in turn; one more means the complete page.
    moment: (page, round) =>
      waitForRecord(page, recordOf(round), (1 + ((round * 3) % (CARDS + 1))) * LINE_BYTES),
    async check(_, round) {
      const isDone = readRecordFile(recordOf(round)).length > CARDS
      // The reservations expire; nothing else repairs the ledger.
      await ledger.scans.refundOverdue(new Date(Date.now() + SCAN_HOLD_MS + 1_000))
      const { balance, trial_at } = await ledger.accounts.getScans(account_id)
      const charged = expected + (trial_at === null ? 0 : round === 0 ? 25 : 0) - balance
      charges.push(charged)
      expected = balance
      expect([0, CARDS]).toContain(charged)
      if (isDone) expect(charged).toBe(CARDS)
      expect(await ledger.scans.listUnbalanced()).toEqual([])
    },
  })
  expect(charges).toContain(0)
  expect(charges).toContain(CARDS)
  ledger.close()
  close()
})
