// Identifies a page on a data folder, with a reader that logs each card, for tests that kill the process.
import { identifyPage } from '#actions/photos/identify-page.ts'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { openRecordFile } from '../chaos.ts'
import { cutCardAt, fakeReader, OBSERVATION, PHOTO } from './reader-fixtures.ts'

export type PageTask = { folder: string; record: string; account_id: number; cards: number }

/** Time to read a card, long enough for a kill between two cards. */
const CARD_MS = 3

if (import.meta.main) {
  // The test that starts this process writes the task.
  const { folder, record, account_id, cards } = JSON.parse(process.argv[2] ?? '') as PageTask
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', IDENTIFY_WORKERS: '0' })
  const log = openRecordFile(record)
  const reader = {
    ...fakeReader(),
    cut: async () => ({
      size: { width: 3000, height: 4000 },
      cards: Array.from({ length: cards }, (_, index) => cutCardAt(Uint8Array.of(index), index)),
    }),
    async read() {
      log.append({ card: true })
      await Bun.sleep(CARD_MS)
      return OBSERVATION
    },
  }
  const deps = { ...(await openDeps(config)), reader }
  const { settlement } = await identifyPage(deps, {
    account_id,
    address: '192.0.2.1',
    photo: PHOTO.jpeg,
    game: undefined,
    prices: false,
    scansMax: 36,
    signal: new AbortController().signal,
  })
  log.append(settlement)
  // Runs until it is killed, like a server.
  await new Promise(() => setInterval(() => {}, 1_000))
}
