// Matches lists that are generated from the real catalog.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { matchCatalog } from '#rules/sync/cardmarket/match-products.ts'
import { openSourceProductStore } from '#store/catalog/sources/source-products.ts'
import { openDatabase } from '#store/db.ts'
import { SEED } from '../../../support/random.ts'
import { generateLists } from '../../../support/sync/cardmarket-lists.ts'
import { RECORDED_SYNC_MS_MAX, recordedCatalog } from '../../../support/sync/real-upstream.ts'
import { scoreMatches } from '../../../support/sync/score-matches.ts'

const recorded = recordedCatalog(import.meta.file)

describe.skipIf(recorded === undefined)('lists of real cards', () => {
  beforeAll(() => recorded?.sync(), RECORDED_SYNC_MS_MAX)
  afterAll(() => recorded?.remove())

  test.each([
    ['Flesh and Blood', 62, false],
    ['Lorcana', 71, false],
    ['Pokémon Japan', 85, true],
  ])('of %s are matched to 95 %%, and below 0.5 %% wrong', (_, game, hasAttacks) => {
    const db = openDatabase(join(recorded?.dataDir ?? '', 'catalog.db'), { readonly: true })
    const store = openSourceProductStore(db)
    const generated = generateLists({
      cards: store.listCards([game]),
      sets: store.listSets([game]),
      seed: SEED,
      hasAttacks,
    })
    db.close()
    const { total } = scoreMatches(generated, matchCatalog({ ...generated, known: new Map() }))
    expect(total.matched / total.possible).toBeGreaterThanOrEqual(0.95)
    expect(total.wrong / (total.matched + total.wrong)).toBeLessThan(0.005)
  })
})
