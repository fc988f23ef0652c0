// An import that is killed at any moment: real processes, real files, SIGKILL.
import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sizedFor } from '../../../support/chaos.ts'
import { randomFrom, SEED } from '../../../support/random.ts'
import { guideRow } from '../../../support/sync/cardmarket-files.ts'
import { createCardmarketWorld } from '../../../support/sync/cardmarket-world.ts'
import { catalogChecksums } from '../../../support/sync/publication-kill.ts'

const SYNC = resolve(import.meta.dir, '../../../../scripts/sync.ts')
const KILLS = sizedFor(6, 30)
const ROOT = mkdtempSync(join(tmpdir(), 'cardstock-cardmarket-kill-'))
afterAll(() => rmSync(ROOT, { recursive: true, force: true }))

/** Tables with what the import publishes as one. */
const PRICES = ['source_prices', 'price_kinds', 'price_sources', 'history_hot', 'publication']

/** Forced, because the files are of another day than the test. */
function startImport(dataDir: string, files: string) {
  const env = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    CARDMARKET_URL: pathToFileURL(files).href,
  }
  return Bun.spawn(['bun', '--no-env-file', SYNC, '--source', 'cardmarket', '--force'], {
    env,
    stdout: 'ignore',
    stderr: 'ignore',
  })
}

const pricesIn = (dataDir: string) => {
  const sums = catalogChecksums(dataDir)
  return JSON.stringify([sums.integrity, ...PRICES.map((table) => sums[table])])
}

test(`leaves the old prices or the new ones, and the next import completes (${KILLS} kills, seed ${SEED})`, async () => {
  const world = await createCardmarketWorld()
  await world.import()
  world.write({
    rows: world.rows.map(({ idProduct }) => guideRow(idProduct, 4 + (idProduct % 90), 6)),
    createdAt: '2026-08-06T02:44:32+0200',
  })
  const files = join(ROOT, 'files')
  const before = join(ROOT, 'before')
  cpSync(world.root, files, { recursive: true })
  cpSync(world.dataDir, before, { recursive: true })
  world.close()
  const dataDir = join(ROOT, 'data')
  cpSync(before, dataDir, { recursive: true })
  const old = pricesIn(dataDir)
  const started = performance.now()
  expect(await startImport(dataDir, files).exited).toBe(0)
  const took = performance.now() - started
  const complete = catalogChecksums(dataDir)
  const next = pricesIn(dataDir)
  const random = randomFrom(SEED)
  for (let kill = 0; kill < KILLS; kill++) {
    rmSync(dataDir, { recursive: true })
    cpSync(before, dataDir, { recursive: true })
    const importProcess = startImport(dataDir, files)
    await Bun.sleep(took * (0.2 + random() * 0.8))
    importProcess.kill('SIGKILL')
    await importProcess.exited
    expect([old, next]).toContain(pricesIn(dataDir))
    expect(await startImport(dataDir, files).exited).toBe(0)
    const after = catalogChecksums(dataDir)
    for (const table of ['source_prices', 'source_products', 'source_expansions', 'history_hot'])
      expect([table, after[table]]).toEqual([table, complete[table]])
  }
}, 600_000)
