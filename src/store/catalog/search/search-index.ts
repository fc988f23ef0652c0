import { isDistinctiveShape, numberShape, SHAPE_CARDS_MIN } from '#rules/catalog/number-shapes.ts'
import { listSetCodes, listSetNames, type SetLabels } from '#rules/catalog/set-codes.ts'
import {
  buildSearchText,
  encodeTag,
  listContextWords,
  listMarks,
} from '#rules/search/search-document.ts'
import { packTerms } from '#rules/search/spelling.ts'
import { type Db, inTransactionIf } from '../../db.ts'
import type { CardRow, GameRow, SetRow } from '../schema.ts'

/**
 * Rebuilds the search index from cards and prices, within the caller's transaction: ranks by price
 * and by name, documents with their tags, and the vocabulary. Cards that are missing upstream are
 * left out.
 */
export function rebuildSearch(db: Db): void {
  db.exec(BEGIN)
  putTags(db)
  putRanks(db)
  db.exec(DOCUMENTS)
  putTerms(db)
  db.exec(END)
}

/** Builds the index for a catalog of an older version, whose cards have search texts of another form. */
export function buildMissingSearch(db: Db): void {
  const lacksIndex = db
    .prepare<[], number>(
      `SELECT EXISTS (SELECT 1 FROM cards WHERE missing_since IS NULL)
          AND NOT EXISTS (SELECT 1 FROM search_ranks)`,
    )
    .pluck()
  const retext = db.prepare<[string, number]>('UPDATE cards SET search_text = ? WHERE id = ?')
  const cards = db.prepare<[], Pick<CardRow, 'id' | 'name' | 'number'>>(
    'SELECT id, name, number FROM cards',
  )
  inTransactionIf(
    db,
    () => lacksIndex.get() === 1,
    () => {
      for (const card of cards.all()) retext.run(buildSearchText(card), card.id)
      rebuildSearch(db)
    },
  )
}

// Writes the index as one segment in rank order: `hashsize` (bytes) is large enough for half a
// million cards. Several segments would be too short to seek in, and a range of ranks would be read
// from its beginning.
const BEGIN = `
  DELETE FROM search_ranks;
  DELETE FROM search_prices;
  DELETE FROM search_tags;
  DELETE FROM search_words;
  DELETE FROM search_sets;
  DELETE FROM search_terms;
  INSERT INTO card_search (card_search) VALUES ('delete-all');
  INSERT INTO card_search (card_search, rank) VALUES ('hashsize', 134217728);
  INSERT INTO card_search (card_search, rank) VALUES ('automerge', 0);
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
`

// Runs as one batch: every separate statement would flush the index.
const DOCUMENTS = `
  INSERT INTO search_prices (market_price, first_rank, last_rank)
    SELECT market_price, min(rank), max(rank) FROM search_ranks
     WHERE market_price IS NOT NULL GROUP BY market_price;
  INSERT INTO card_search (rowid, words)
    SELECT rank,
           search_text || set_tags.tags || coalesce(rarity_tags.tags, '') ||
             coalesce((SELECT group_concat(tags, '') FROM prices
                         JOIN temp.printing_tags USING (printing_id) WHERE card_id = cards.id), '') ||
             iif(product_type = 'Cards', '', temp.sealed_tags.tags)
      FROM search_ranks
      CROSS JOIN cards ON cards.id = card_id
      CROSS JOIN temp.sealed_tags
      CROSS JOIN temp.set_tags ON set_tags.set_id = cards.set_id
      LEFT JOIN temp.rarity_tags ON rarity_tags.rarity = cards.rarity
     ORDER BY rank;
`

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

/** Assigns tags, each once, and stores them. */
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
  const known = new Map<string, string>()
  const getTag = (key: string): string => {
    const tag = known.get(key) ?? encodeTag(known.size)
    known.set(key, tag)
    return tag
  }
  const tagWords = (text: string, isPrinting: boolean): string =>
    [...listContextWords(text)]
      .map((word) => {
        const tag = getTag(`word ${word}`)
        putWord.run(word, tag, isPrinting ? 1 : 0)
        return ` ${tag}`
      })
      .join('')

  return {
    /** Returns the tags of a value and of the words of its name, each after a space. */
    assign(kind: string, value: string | number, name: string): string {
      const key = `${kind} ${value}`
      const isNew = !known.has(key)
      const tag = getTag(key)
      if (isNew) putTag.run(known.size, kind, String(value), tag)
      return ` ${tag}${tagWords(name, false)}${listMarks(name)
        .map((mark) => ` ${mark}`)
        .join('')}`
    },
    /** Returns the tags of the words of a printing, each after a space. */
    assignPrinting: (name: string): string => tagWords(name, true),
    /** Stores the names and codes of a set. */
    nameSet(id: number, labels: SetLabels): void {
      for (const phrase of [...listSetNames(labels.name), ...listSetCodes(labels)]) {
        putSet.run(phrase, getTag(`set ${id}`))
        // Articles are left out in typing: "first chapter".
        if (/^the.{3}/.test(phrase)) putSet.run(phrase.slice(3), getTag(`set ${id}`))
      }
    },
  }
}

/** Ranks the cards by price, highest first, and by name. */
function putRanks(db: Db): void {
  const { ids, prices, names } = shownCards(db)
  const order = orderByPrice(prices)
  const nameRanks = ranksByName(names)
  // Inserts a hundred rows at a time: a statement costs more than a row.
  const prepareInsert = (rows: number) => {
    const places = Array.from({ length: rows }, () => '(?, ?, ?, ?)')
    return db.prepare<[(number | null)[]]>(`INSERT INTO search_ranks VALUES ${places}`)
  }
  const insert = prepareInsert(RANKS_AT_ONCE)
  for (let start = 0; start < order.length; start += RANKS_AT_ONCE) {
    const next = order.subarray(start, start + RANKS_AT_ONCE)
    const values: (number | null)[] = []
    for (const [index, at] of next.entries()) {
      values.push(start + index + 1, ids[at] ?? 0, prices[at] ?? null, nameRanks[at] ?? 0)
    }
    if (next.length === RANKS_AT_ONCE) insert.run(values)
    else prepareInsert(next.length).run(values)
  }
}

const RANKS_AT_ONCE = 100

/** Reads the ids, prices and names of all cards that are not missing, by id. */
function shownCards(db: Db) {
  // Returns one JSON text per column, because rows cross the driver value by value.
  const columns = db
    .prepare<[], [ids: string, prices: string, names: string]>(
      `SELECT json_group_array(id), json_group_array(price), json_group_array(clean_name)
         FROM (SELECT id, clean_name,
                      (SELECT market_price FROM prices
                        WHERE card_id = id AND is_base_printing = 1) AS price
                 FROM cards WHERE missing_since IS NULL ORDER BY id)`,
    )
    .raw()
    .get()
  const ids: number[] = JSON.parse(columns?.[0] ?? '[]')
  const prices: (number | null)[] = JSON.parse(columns?.[1] ?? '[]')
  const names: string[] = JSON.parse(columns?.[2] ?? '[]')
  return { ids, prices, names }
}

/** Returns the indexes of the prices from the highest to the lowest, null last; ties in order. */
function orderByPrice(prices: readonly (number | null)[]): Float64Array {
  const count = prices.length
  const highest = prices.reduce<number>((most, price) => Math.max(most, price ?? 0), 0)
  // Sorts price and index as one number: ten times faster than a comparison, and exact. With a card
  // of a million dollars, 90 million others would be needed to exceed safe integers.
  const keys = Float64Array.from(prices, (price, at) => (highest - (price ?? -1)) * count + at)
  return keys.sort().map((key) => key % count)
}

/** Returns the rank of each name from 1, ignoring case; equal names are ranked in order. */
function ranksByName(names: readonly string[]): Uint32Array {
  // Numbers distinct names, so that fewer strings are sorted.
  const numbers = new Map<string, number>()
  const used: number[] = []
  const nameNumbers = Uint32Array.from(names, (name) => {
    const key = name.toLowerCase()
    const number = numbers.get(key) ?? numbers.size
    if (number === numbers.size) numbers.set(key, number)
    used[number] = (used[number] ?? 0) + 1
    return number
  })
  const next: number[] = []
  let rank = 1
  for (const key of [...numbers.keys()].sort()) {
    const number = numbers.get(key) ?? 0
    next[number] = rank
    rank += used[number] ?? 0
  }
  return nameNumbers.map((number) => {
    const own = next[number] ?? 0
    next[number] = own + 1
    return own
  })
}

/** Stores the words that may replace a misspelled one. */
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
