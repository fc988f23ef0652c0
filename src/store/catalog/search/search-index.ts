import { isDistinctiveShape, numberShape, SHAPE_CARDS_MIN } from '#rules/catalog/number-forms.ts'
import { listSetAliases, listSetNames, type SetLabels } from '#rules/catalog/set-codes.ts'
import { encodeTag, listContextWords, listMarks } from '#rules/search/search-document.ts'
import { packTerms } from '#rules/search/spelling.ts'
import type { Db } from '../../db.ts'
import type { CardRow, GameRow, SetRow } from '../schema/catalog.ts'
import type { SearchTagRow } from '../schema/search.ts'
import { putSearchColumns } from './search-columns.ts'

/**
 * Updates the search index for changed cards and prices, within the caller's transaction: the documents of the cards
 * listed by triggers, with their tags, and the orders of all cards. Skips cards that are missing upstream.
 */
export function updateSearch(db: Db): void {
  const haveChanged = hasUnindexedCards(db)
  if (haveChanged) {
    db.exec(BEGIN)
    putTags(db)
    deleteMissing(db)
    db.exec(DOCUMENTS)
    putTerms(db)
    db.exec(END)
  }
  putSearchColumns(db, haveChanged)
}

function hasUnindexedCards(db: Db): boolean {
  const any = db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM unindexed_cards)').pluck()
  return any.get() === 1
}

const BEGIN = `
  DELETE FROM search_words;
  DELETE FROM search_sets;
  DELETE FROM search_terms;
  CREATE TEMP TABLE set_tags (set_id INTEGER PRIMARY KEY, tags TEXT NOT NULL);
  CREATE TEMP TABLE sealed_tags (tags TEXT NOT NULL);
  CREATE TEMP TABLE rarity_tags (rarity TEXT PRIMARY KEY, tags TEXT NOT NULL) WITHOUT ROWID;
  CREATE TEMP TABLE printing_tags (printing_id INTEGER PRIMARY KEY, tags TEXT NOT NULL);
  CREATE VIRTUAL TABLE temp.card_words USING fts5vocab(main, card_search, row);
`

const END = `
  DROP TABLE temp.set_tags;
  DROP TABLE temp.sealed_tags;
  DROP TABLE temp.rarity_tags;
  DROP TABLE temp.printing_tags;
  DROP TABLE temp.card_words;
  DELETE FROM unindexed_cards;
  UPDATE search_documents SET version =
    CAST(version AS INTEGER) + 1 || ' of ' || (SELECT changed_at FROM publication);
`

// Runs as one statement, because every separate statement would write a segment of the index.
const DOCUMENTS = `
  INSERT OR REPLACE INTO card_search (rowid, words)
    SELECT cards.id,
           search_text || set_tags.tags || coalesce(rarity_tags.tags, '') ||
             coalesce((SELECT group_concat(tags, '') FROM prices
                         JOIN temp.printing_tags USING (printing_id) WHERE card_id = cards.id), '') ||
             iif(product_type = 'Cards', '', temp.sealed_tags.tags)
      FROM unindexed_cards
      CROSS JOIN cards ON cards.id = card_id
      CROSS JOIN temp.sealed_tags
      CROSS JOIN temp.set_tags ON set_tags.set_id = cards.set_id
      LEFT JOIN temp.rarity_tags ON rarity_tags.rarity = cards.rarity
     WHERE missing_since IS NULL
     ORDER BY card_id;
`

function deleteMissing(db: Db): void {
  const missing = db
    .prepare<[], number>(
      `SELECT card_id FROM unindexed_cards JOIN cards ON id = card_id
        WHERE missing_since IS NOT NULL`,
    )
    .pluck()
  // A list of ids would read the whole index.
  const remove = db.prepare<[number]>('DELETE FROM card_search WHERE rowid = CAST(? AS INTEGER)')
  for (const id of missing.all()) remove.run(id)
}

/** Assigns a tag to each filter value and to each word of a context, and stores the names of sets. */
function putTags(db: Db): void {
  const tags = openTagWriter(db)
  const sealed = tags.assign('type', 'Sealed Products', 'Sealed Products')
  db.prepare<[string]>('INSERT INTO temp.sealed_tags VALUES (?)').run(sealed)
  const games = new Map(
    db
      .prepare<[], Pick<GameRow, 'id' | 'name' | 'slug'>>('SELECT id, name, slug FROM games')
      .all()
      .map((game) => [game.id, { ...game, tags: tags.assign('game', game.id, game.name) }]),
  )
  const putSet = db.prepare<[number, string]>('INSERT INTO temp.set_tags VALUES (?, ?)')
  const sets = db.prepare<[], Pick<SetRow, 'id' | 'name' | 'game_id' | 'abbreviation'>>(
    'SELECT id, game_id, name, abbreviation FROM sets',
  )
  for (const { id, game_id, name, abbreviation } of sets.all()) {
    const game = games.get(game_id)
    const own = tags.assign('set', id, `${name} ${abbreviation ?? ''}`)
    putSet.run(id, `${game?.tags ?? ''}${own}`)
    tags.nameSet(id, { game_slug: game?.slug ?? '', name, abbreviation })
  }
  const putRarity = db.prepare<[string, string]>('INSERT INTO temp.rarity_tags VALUES (?, ?)')
  const rarities = db.prepare<[], string>(
    'SELECT DISTINCT rarity FROM cards WHERE rarity IS NOT NULL',
  )
  // Rarities are case-insensitive, but `SuperRare` has two words.
  for (const rarity of rarities.pluck().all()) {
    putRarity.run(rarity, tags.assign('rarity', rarity.toLowerCase(), rarity))
  }
  const putPrinting = db.prepare<[number, string]>('INSERT INTO temp.printing_tags VALUES (?, ?)')
  const printings = db.prepare<[], { id: number; name: string }>('SELECT id, name FROM printings')
  for (const { id, name } of printings.all()) putPrinting.run(id, tags.assignPrinting(name))
}

/**
 * Assigns tags and stores them. The tag of a value never changes, because documents contain it; without documents, it
 * matches nothing.
 */
function openTagWriter(db: Db) {
  const putTag = db.prepare<[number, string, string, string]>(
    'INSERT INTO search_tags (id, kind, value, tag) VALUES (?, ?, ?, ?)',
  )
  const putWord = db.prepare<[string, string, number]>(
    `INSERT INTO search_words (word, tag, is_printing) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET is_printing = max(is_printing, excluded.is_printing)`,
  )
  const putSet = db.prepare<[string, string]>(
    'INSERT OR IGNORE INTO search_sets (phrase, tag) VALUES (?, ?)',
  )
  const stored = db.prepare<[], Pick<SearchTagRow, 'kind' | 'value' | 'tag'>>(
    'SELECT kind, value, tag FROM search_tags',
  )
  const known = new Map(stored.all().map(({ kind, value, tag }) => [`${kind} ${value}`, tag]))
  const getTag = (kind: string, value: string | number): string => {
    const key = `${kind} ${value}`
    const found = known.get(key)
    if (found !== undefined) return found
    const tag = encodeTag(known.size)
    known.set(key, tag)
    putTag.run(known.size, kind, String(value), tag)
    return tag
  }
  const tagWords = (text: string, isPrinting: boolean): string =>
    [...listContextWords(text)]
      .map((word) => {
        const tag = getTag('word', word)
        putWord.run(word, tag, isPrinting ? 1 : 0)
        return ` ${tag}`
      })
      .join('')

  return {
    /** Returns the tags of a value and of the words of its name, each after a space. */
    assign(kind: string, value: string | number, name: string): string {
      return ` ${getTag(kind, value)}${tagWords(name, false)}${listMarks(name)
        .map((mark) => ` ${mark}`)
        .join('')}`
    },
    /** Returns the tags of the words of a printing, each after a space. */
    assignPrinting: (name: string): string => tagWords(name, true),
    /** Stores the names and codes of a set. */
    nameSet(id: number, labels: SetLabels): void {
      const tag = getTag('set', id)
      const { codes, names } = listSetAliases(labels)
      // A number alone is that of a card.
      const lettered = names.filter((name) => /\p{L}/u.test(name))
      const phrases = [labels.name, ...lettered].flatMap(listSetNames)
      for (const phrase of [...phrases, ...codes]) {
        putSet.run(phrase, tag)
        // People omit articles when they type: "first chapter".
        if (/^the.{3}/.test(phrase)) putSet.run(phrase.slice(3), tag)
      }
    },
  }
}

/** Stores the words that may replace misspelled ones. */
function putTerms(db: Db): void {
  // Tags use private characters, which sort after every letter. Words with digits, most of which
  // sort before every letter, are never corrected.
  const terms = db.prepare<[], { term: string; cards: number }>(
    `SELECT term, sum(cards) AS cards FROM (
       SELECT term, doc AS cards FROM temp.card_words
       UNION ALL SELECT word, 0 FROM search_words)
      WHERE term > ':' AND term < char(57344) AND term NOT GLOB '*[0-9]*' GROUP BY term`,
  )
  const put = db.prepare<[number, string, Uint8Array, Uint8Array]>(
    'INSERT INTO search_terms (length, terms, cards, letters) VALUES (?, ?, ?, ?)',
  )
  for (const { length, terms: text, cards, letters } of packTerms(terms.all())) {
    put.run(length, text, new Uint8Array(cards.buffer), new Uint8Array(letters.buffer))
  }
}

/** Rebuilds the shapes of each game's collector numbers, within the caller's transaction. */
export function rebuildNumberShapes(db: Db): void {
  db.exec('DELETE FROM number_shapes')
  const numbers = db.prepare<[], Pick<CardRow, 'game_id'> & { numbers: string }>(
    `SELECT game_id, json_group_array(number) AS numbers FROM cards
      WHERE number IS NOT NULL AND missing_since IS NULL GROUP BY game_id`,
  )
  const put = db.prepare<[number, string]>('INSERT INTO number_shapes VALUES (?, ?)')
  for (const { game_id, numbers: text } of numbers.all()) {
    const counts = new Map<string, number>()
    for (const number of JSON.parse(text) as string[]) {
      const shape = numberShape(number)
      counts.set(shape, (counts.get(shape) ?? 0) + 1)
    }
    for (const [shape, count] of counts) {
      if (count >= SHAPE_CARDS_MIN && isDistinctiveShape(shape)) put.run(game_id, shape)
    }
  }
}
