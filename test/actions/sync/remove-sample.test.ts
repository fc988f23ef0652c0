import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeSample } from '#actions/sync/sample-catalog.ts'
import { SAMPLE_GAME_IDS } from '#rules/sync/mirror-address.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import { createTestApp, SAMPLE } from '../../support/test-app.ts'

test('the sample’s games are those of its files', () => {
  const { results } = JSON.parse(readFileSync(join(SAMPLE, 'tcgplayer/categories'), 'utf8'))
  const ids = results.map(({ categoryId }: { categoryId: number }) => categoryId)
  expect(ids).toEqual([...SAMPLE_GAME_IDS])
})

test('nothing of the sample remains, and other games stay unchanged', async () => {
  const testApp = await createTestApp({ onDisk: true })
  const { catalogDb, client, deps } = testApp
  try {
    // Adds another game with a card, copied from one of the sample.
    catalogDb.exec(`
      INSERT INTO games (id, name, slug, priority) VALUES (1, 'Real', 'real', 1);
      UPDATE sets SET game_id = 1 WHERE id = 90021;
      UPDATE cards SET game_id = 1 WHERE set_id = 90021;`)
    const kept = catalogDb.prepare('SELECT count(*) FROM cards WHERE game_id = 1').pluck().get()
    const catalogWriter = openCatalogWriter(deps.config.dataDir)
    const gone = catalogDb.prepare('SELECT name FROM cards WHERE game_id = 9003').pluck().get()
    const before = deps.catalog.publication.getCurrent().version
    expect(removeSample({ catalogWriter, now: deps.now })).toBe(before + 1)
    catalogWriter.close()

    const count = (sql: string) => catalogDb.prepare(sql).pluck().get()
    expect(count('SELECT group_concat(slug) FROM games')).toBe('real')
    expect(count('SELECT count(*) FROM cards')).toBe(kept)
    for (const table of ['prices', 'price_texts', 'price_changes']) {
      expect(
        count(`SELECT count(*) FROM ${table} WHERE card_id NOT IN (SELECT id FROM cards)`),
      ).toBe(0)
    }
    expect(
      count(
        'SELECT count(*) FROM history_hot WHERE series_id / 1024 NOT IN (SELECT id FROM cards)',
      ),
    ).toBe(0)
    expect(count('SELECT count(*) FROM movers WHERE card_id NOT IN (SELECT id FROM cards)')).toBe(0)
    deps.catalog.publication.refresh()
    const games = await client.get('/v1/games')
    expect(games.body.data).toMatchObject([{ slug: 'real', card_count: kept }])
    const search = async (name: unknown) => {
      const { body } = await client.get(`/v1/search?q=${encodeURIComponent(String(name))}`, {
        as: 'pro',
      })
      return body.meta.total
    }
    expect(await search(count('SELECT name FROM cards LIMIT 1'))).toBeGreaterThan(0)
    expect(await search(gone)).toBe(0)
  } finally {
    testApp.close()
  }
})
