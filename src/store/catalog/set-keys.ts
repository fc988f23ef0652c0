import { hasWords, listSetKeys, parseFormQuery, parseSetQuery } from '#rules/catalog/set-keys.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { Db } from '../db.ts'
import type { SetRow } from './schema/catalog.ts'
import type { SetKeyRow } from './schema/matching.ts'
import { LAST_CHARACTER } from './similar-names.ts'

/** Finds sets by the keys that `rebuildSetKeys` stores. */
export type SetKeys = {
  /** Lists the sets that have a key, by id. */
  find(key: string): SetKeyRow[]
  /**
   * Lists the sets that a label means: by slug, by code, by name, by name without its series, by a form of the name with
   * the same series, and by one with another; an empty list if it means none.
   */
  listKinds(label: string): number[][]
  /**
   * Ranks the sets that match a query. 0: the query is the name, slug or code. 1: the name begins with it. 2: the set
   * has each word, or a word that begins with it, or the query is another form of its name.
   */
  rank(query: string): Map<number, number>
}

export function openSetKeys(db: Db): SetKeys {
  const byKey = db.prepare<[string], SetKeyRow>(
    'SELECT key, kind, set_id FROM set_keys WHERE key = ? ORDER BY set_id',
  )
  // A single statement, because most texts of a line name no set.
  const byLabel = db.prepare<[string, string, string, string], SetKeyRow>(
    `SELECT key, kind, set_id FROM set_keys
      WHERE key IN (?, ?) OR (key >= ? AND key < ? AND kind = 'form') ORDER BY set_id`,
  )
  const byForm = db.prepare<[string, string], Pick<SetKeyRow, 'key' | 'set_id'>>(
    "SELECT key, set_id FROM set_keys WHERE key >= ? AND key < ? AND kind = 'form'",
  )
  const byBeginning = db
    .prepare<[string, string], number>(
      `SELECT set_id FROM set_keys
        WHERE key >= ? AND key < ? AND kind IN ('short_name', 'title')`,
    )
    .pluck()
  // Returns one JSON text per column, because rows cross the driver value by value. Only keys of kind `words` contain
  // spaces, and they begin with one.
  const byWord = db
    .prepare<[string], [ids: string, keys: string]>(
      `SELECT json_group_array(set_id), json_group_array(key) FROM set_keys
        WHERE key >= ' ' AND key < '!' AND kind = 'words' AND instr(key, ' ' || ?) > 0`,
    )
    .raw()

  /** Lists the sets of whose names a query is another form. The numbers of Lorcana's sets are no names for a search. */
  function listByForm(query: string): number[] {
    const { beginning, compare } = parseFormQuery(query)
    if (!/\p{L}|\d{3}/u.test(beginning)) return []
    const found = byForm.all(beginning, beginning + LAST_CHARACTER)
    return found.flatMap(({ key, set_id }) => (compare(key) === undefined ? [] : set_id))
  }

  function listByWords(words: readonly string[]): number[] {
    const [longest] = words
    const found = longest === undefined ? undefined : byWord.get(longest)
    if (found === undefined) return []
    const [ids, keys]: [number[], string[]] = [JSON.parse(found[0]), JSON.parse(found[1])]
    return ids.filter((_, index) => hasWords(keys[index] ?? '', words))
  }

  return {
    find: (key) => byKey.all(key),
    listKinds(label) {
      const slug = label.trim().toLowerCase()
      const bare = normalizeName(label)
      const { beginning, compare } = parseFormQuery(label)
      const found = byLabel.all(bare, slug, beginning, beginning + LAST_CHARACTER)
      if (found.length === 0) return []
      const list = (isMeant: (row: SetKeyRow) => boolean) => [
        ...new Set(found.filter(isMeant).map(({ set_id }) => set_id)),
      ]
      const isForm = ({ kind }: SetKeyRow) => kind === 'form' && bare !== ''
      return [
        list(({ kind, key }) => kind === 'slug' && key === slug),
        ...(['code', 'name', 'short_name'] as const).map((wanted) =>
          list(({ kind, key }) => kind === wanted && key === bare),
        ),
        ...(['same', 'other series'] as const).map((wanted) =>
          list((row) => isForm(row) && compare(row.key) === wanted),
        ),
      ]
    },
    rank(query) {
      const { key, words } = parseSetQuery(query)
      if (words.length === 0) return new Map()
      const ranks = new Map([...listByForm(query), ...listByWords(words)].map((id) => [id, 2]))
      for (const id of byBeginning.all(key, key + LAST_CHARACTER)) ranks.set(id, 1)
      for (const { set_id } of byKey.all(key)) ranks.set(set_id, 0)
      return ranks
    },
  }
}

/** Rebuilds the keys of all sets, within the caller's transaction. */
export function rebuildSetKeys(db: Db): void {
  db.exec('DELETE FROM set_keys')
  const put = db.prepare<[string, string, number]>(
    'INSERT INTO set_keys (kind, key, set_id) VALUES (?, ?, ?)',
  )
  const sets = db.prepare<
    [],
    Pick<SetRow, 'id' | 'slug' | 'abbreviation' | 'name'> & { game_slug: string }
  >(
    `SELECT sets.id, sets.slug, abbreviation, sets.name, games.slug AS game_slug
       FROM sets JOIN games ON games.id = game_id ORDER BY sets.id`,
  )
  for (const set of sets.all()) {
    for (const [kind, key] of listSetKeys(set)) put.run(kind, key, set.id)
  }
}
