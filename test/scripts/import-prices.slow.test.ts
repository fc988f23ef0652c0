// The import of a price list as operators run it: report, exit code, and the state after a kill.

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONDITIONS } from '#rules/pricing/price-key.ts'
import { openDatabase } from '#store/db.ts'
import { runProcess, startProcess } from '../support/process.ts'
import { randomFrom, SEED } from '../support/random.ts'
import { logSize, publishedVersion, stopInPublication } from '../support/sync/publication-kill.ts'
import { createTestApp } from '../support/test-app.ts'

/** An outer limit on a busy machine; nothing here waits for it. */
setDefaultTimeout(300_000)

const folder = mkdtempSync(join(tmpdir(), 'cardstock-prices-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(text: string): string {
  const path = join(folder, `${crypto.randomUUID()}.csv`)
  writeFileSync(path, text)
  return path
}

const start = (script: string, args: readonly string[], dataDir: string) =>
  startProcess(script, { args, cwd: folder, env: { DATA_DIR: dataDir } })

const run = (script: string, args: readonly string[], dataDir: string) =>
  runProcess(script, { args, cwd: folder, env: { DATA_DIR: dataDir } })

describe('the report', () => {
  test('is JSON in a pipe, and the exit code shows if a row has a mistake', async () => {
    const { deps, close } = await createTestApp({ onDisk: true })
    const { dataDir } = deps.config
    const load = (text: string, ...args: string[]) =>
      run('scripts/import-prices.ts', [fileOf(text), '--source', 'my-shop', ...args], dataDir)
    const good = await load('card_id,price\n900101,1.50\n5,1\n')
    expect(good.code).toBe(0)
    expect(JSON.parse(good.stdout)).toEqual({
      source: 'my-shop',
      rows: 2,
      prices: 1,
      changed: 1,
      left_out: [{ line: 3, name: null, reason: 'product_id_not_found' }],
    })
    expect(await load('card_id,price\n900101,free\n900102,1\n')).toMatchObject({ code: 1 })
    expect(await load('card_id,price\n900101,1\n', '--dry-run')).toMatchObject({ code: 0 })
    expect(await load('card_id\n900101\n')).toMatchObject({ code: 1, stdout: '' })
    expect(await load('card_id,price\n', '--currency', 'euro')).toMatchObject({ code: 2 })
    const prices = deps.catalog.sources.prices.listByCard(900102)
    expect(prices.map(({ market_price }) => market_price)).toEqual([100])
    close()
  })
})

/** Returns the sum of all prices in an intact catalog. */
function sumOf(dataDir: string): number {
  const db = openDatabase(join(dataDir, 'catalog.db'))
  try {
    expect(db.pragma('quick_check', { simple: true })).toBe('ok')
    return Number(db.prepare('SELECT sum(market_price) FROM source_prices').pluck().get())
  } finally {
    db.close()
  }
}

describe('a kill at any moment', () => {
  test('leaves all old prices, and the next import has all new ones', async () => {
    const dataDir = join(folder, 'data')
    expect(await run('scripts/seed.ts', ['--cards', '2000', '--days', '1'], dataDir)).toMatchObject(
      { code: 0 },
    )
    const db = openDatabase(join(dataDir, 'catalog.db'))
    const ids = db.prepare<[], number>('SELECT id FROM cards').pluck().all()
    db.close()
    const listOf = (cents: number) => {
      const rows = ids.flatMap((id) => CONDITIONS.map((condition) => `${id},${condition},${cents}`))
      return fileOf(`card_id,condition,price\n${rows.join('\n')}\n`)
    }
    const load = (file: string) => ['scripts/import-prices.ts', [file, '--source', 'shop']] as const
    const [old, fresh] = [listOf(2), listOf(3)]
    expect(await run(...load(old), dataDir)).toMatchObject({ code: 0 })
    const total = sumOf(dataDir)
    expect(total).toBe(ids.length * CONDITIONS.length * 200)

    const random = randomFrom(SEED)
    let version = publishedVersion(dataDir)
    let killedInPublication = 0
    for (let kill = 0; killedInPublication < 2 && kill < 20; kill++) {
      const child = start(...load(fresh), dataDir)
      const logBytes = logSize(dataDir)
      // The last line of progress precedes the publication.
      await child.hasPrinted(`"done":${ids.length},`)
      await Bun.sleep(random() * 100)
      let place = 'not publishing' as Awaited<ReturnType<typeof stopInPublication>>
      while (!child.hasEnded() && place === 'not publishing') {
        place = await stopInPublication(child, dataDir, { version, logBytes })
        if (place === 'not publishing') await Bun.sleep(random() * 30)
      }
      if (child.hasEnded()) {
        // The import was faster than the kill.
        expect(await run(...load(old), dataDir)).toMatchObject({ code: 0 })
        version = publishedVersion(dataDir)
        continue
      }
      await child.kill()
      killedInPublication++
      expect(sumOf(dataDir)).toBe(total)
      expect(publishedVersion(dataDir)).toBe(version)
    }
    expect(killedInPublication).toBeGreaterThan(0)
    expect(await run(...load(fresh), dataDir)).toMatchObject({ code: 0 })
    expect(sumOf(dataDir)).toBe((total / 2) * 3)
  })
})
