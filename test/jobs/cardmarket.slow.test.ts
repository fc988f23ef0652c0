// The job that imports Cardmarket's prices, in the thread that writes the catalog.
import { expect, test } from 'bun:test'
import { pathToFileURL } from 'node:url'
import { readConfig } from '#config.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import { priceGuidePath } from '#rules/sync/cardmarket/files.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { writeFile } from '../support/sync/cardmarket-files.ts'
import { CARDS_A_SET, createCardmarketWorld, GAME } from '../support/sync/cardmarket-world.ts'

/** Starts a server on a synced catalog, with today's files. */
async function startServer() {
  const world = await createCardmarketWorld()
  closeAfterUse(world.close)
  world.write({ rows: world.rows, createdAt: new Date().toISOString().replace(/\.\d+Z$/, '+0000') })
  const config = readConfig({
    DATA_DIR: world.dataDir,
    CARDMARKET_URL: pathToFileURL(world.root).href,
    LOG_LEVEL: 'silent',
    IDENTIFY_WORKERS: '0',
    INDEX_PICTURES: 'off',
    BULK_FILES: 'off',
    BACKUP_DIR: 'off',
  })
  const deps = await openDeps(config)
  closeAfterUse(() => closeDeps(deps))
  const workers = createWorkers(deps)
  const start = async () => {
    const jobs = startJobs(deps, workers)
    closeAfterUse(() => jobs.close())
    while (workers.sync.isRunning()) await Bun.sleep(5)
  }
  return { world, deps, start }
}

test('imports what is due when the server starts, and once an hour looks again', async () => {
  const { deps, start } = await startServer()
  await start()
  const ids = Array.from({ length: CARDS_A_SET }, (_, card) => 30_100 + card)
  expect(deps.catalog.sources.prices.listByCards(ids).size).toBe(CARDS_A_SET)
  const job = deps.jobs.list().find(({ name }) => name === 'import Cardmarket prices')
  const wait = (job?.next_at?.getTime() ?? 0) - Date.now()
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(3_600_000)
})

test('shows the operator why a game could not be read', async () => {
  const { world, deps, start } = await startServer()
  writeFile(world.root, priceGuidePath(GAME), '<html>')
  await start()
  expect(deps.errors.list().map(({ event }) => event)).toContain('import could not read')
  expect(deps.catalog.sources.prices.listSources()).toMatchObject([
    { source: 'cardmarket', failure: expect.stringContaining('web page') },
  ])
})
