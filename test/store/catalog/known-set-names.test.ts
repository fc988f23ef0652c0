// Names and codes that other sources have for sets, from set-names.csv: facts of TCGdex, the Pokémon TCG API, PTCGO,
// Cardmarket (as MTGJSON maps it), Deckbox, LorcanaJSON and Dreamborn.
import { describe, expect, test } from 'bun:test'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { rebuildSetKeys } from '#store/catalog/set-keys.ts'
import { openSetStore } from '#store/catalog/sets.ts'
import { openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'
import table from './set-names.csv' with { type: 'text' }

const GAMES = ['lorcana', 'magic', 'pokemon']

const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map((row) => {
    const [game = '', set = '', abbreviation = '', label = '', source = ''] = row.split(',')
    return { game, set, abbreviation, label, source }
  })

function openKnown() {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  const putGame = db.prepare('INSERT INTO games (id, name, slug, priority) VALUES (?, ?, ?, 0)')
  for (const [at, game] of GAMES.entries()) putGame.run(at + 1, game, game)
  const putSet = db.prepare(
    `INSERT INTO sets (id, game_id, name, abbreviation, slug, last_synced_at)
     VALUES (?, ?, ?, ?, ?, '')`,
  )
  const bySet = Map.groupBy(rows, ({ game, set }) => `${game},${set}`)
  const names = [...bySet.keys()]
  for (const [at, [first]] of [...bySet.values()].entries()) {
    if (first === undefined) continue
    const { game, set, abbreviation } = first
    putSet.run(at + 1, GAMES.indexOf(game) + 1, set, abbreviation || null, `set-${at}`)
  }
  rebuildSetKeys(db)
  return { sets: openSetStore(db, (url) => url), names }
}

const { sets, names } = openKnown()

describe.each(GAMES)('of 100 labels of %s', (game) => {
  test('95 find the right set, and none finds only another one', () => {
    const ofGame = rows.filter((row) => row.game === game)
    const answers = ofGame.map(({ set, label, source }) => {
      const ids = sets.findTiers(label, GAMES.indexOf(game) + 1).flat()
      const found = ids.map((id) => names[id - 1])
      return { label, source, found, isRight: found.includes(`${game},${set}`) }
    })
    const missed = answers.filter(({ isRight }) => !isRight)
    console.log(`${game}: ${ofGame.length - missed.length} of ${ofGame.length} right`, missed)
    expect(missed.filter(({ found }) => found.length > 0)).toEqual([])
    expect(missed.length / ofGame.length).toBeLessThanOrEqual(0.05)
  })
})
