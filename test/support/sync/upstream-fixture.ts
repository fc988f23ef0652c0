// Small invented upstreams in the mirror's layout, and the environment of a sync: a data folder, the real client with
// a fake mirror, a clock, and access to every table.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ImportReport, importHistory } from '#actions/sync/import-history.ts'
import type { SyncRequest } from '#actions/sync/publish-games.ts'
import { type SyncReport, syncCatalog } from '#actions/sync/sync-catalog.ts'
import type { Log } from '#log.ts'
import { type MarketplaceOptions, openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { staleSince } from '#rules/catalog/freshness.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { unpackPoints } from '#rules/pricing/packed-history.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import type { Price } from '../../../src/client/endpoints.ts'
import { startMirror } from './mirror-server.ts'

/** A row of a price file. Money is US dollars, as in the upstream. */
export type PriceRow = {
  subTypeName: string
  marketPrice: number | null
  lowPrice: number | null
  midPrice: number | null
  [field: string]: unknown
}

/** A record of a product file, with its rows of the price file. */
export type Product = {
  productId: number
  name: string
  number: string | null
  rarity: string | null
  rows: PriceRow[]
  /** Further fields of the record, which override the generated ones. */
  extra: Record<string, unknown>
}

/** A record of a game's group file, with its products. */
export type Group = {
  groupId: number
  name: string
  abbreviation: string | null
  publishedOn: string
  modifiedOn: string
  products: Product[]
  /** Rows of the price file whose product is missing in the product file. */
  strays: (PriceRow & { productId: number })[]
}

/** A record of the category file, with its sets. */
export type Category = { categoryId: number; name: string; popularity: number; groups: Group[] }

export type Upstream = ReturnType<typeof createUpstream>

const MS_A_DAY = 86_400_000

/** Creates an upstream without games and without a publication. */
export function createUpstream(start = '2026-03-10T20:05:50Z') {
  const files = new Map<string, string>()
  const games: Category[] = []
  let publishedAt = new Date(start)

  const group = (id: number) =>
    found(
      games.flatMap((game) => game.groups).find(({ groupId }) => groupId === id),
      `set ${id}`,
    )
  const product = (id: number) =>
    found(
      games
        .flatMap((game) => game.groups.flatMap(({ products }) => products))
        .find(({ productId }) => productId === id),
      `product ${id}`,
    )
  const row = (id: number, printing = 'Normal') =>
    found(
      product(id).rows.find(({ subTypeName }) => subTypeName === printing),
      `${printing} of ${id}`,
    )

  return {
    /** Texts by path, as served by a fake mirror. */
    files,
    games,
    group,
    product,
    row,
    publishedAt: () => publishedAt,

    addGame(game: { id: number; name: string; popularity?: number }): void {
      const { id, name, popularity = 1_000_000 } = game
      games.push({ categoryId: id, name, popularity, groups: [] })
    },

    addSet(gameId: number, set: { id: number; name: string } & Partial<Group>): Group {
      const { id, name, ...more } = set
      const added: Group = {
        groupId: id,
        name,
        abbreviation: `S${id}`,
        publishedOn: '2025-11-14T00:00:00',
        modifiedOn: '2026-01-01T08:00:00.12',
        products: [],
        strays: [],
        ...more,
      }
      found(
        games.find(({ categoryId }) => categoryId === gameId),
        `game ${gameId}`,
      ).groups.push(added)
      return added
    },

    addCard(setId: number, card: NewCard): Product {
      const { id, prices = { Normal: 2.5 }, name = `Card ${id}`, extra = {} } = card
      const { number = String(id % 1_000), rarity = 'Common' } = card
      const rows = Object.entries(prices).map(([printing, price]) => priceRow(printing, price))
      const added = { productId: id, name, number, rarity, rows, extra }
      group(setId).products.push(added)
      return added
    },

    removeCard(id: number): void {
      for (const { groups } of games) {
        for (const set of groups) {
          set.products = set.products.filter(({ productId }) => productId !== id)
        }
      }
    },

    /** Sets the price of a printing, which is added to the card if needed. */
    setPrice(id: number, printing: string, marketPrice: number | null): void {
      const known = product(id).rows.find(({ subTypeName }) => subTypeName === printing)
      if (known === undefined) product(id).rows.push(priceRow(printing, marketPrice))
      else Object.assign(known, priceRow(printing, marketPrice))
    },

    removePrinting(id: number, printing: string): void {
      const card = product(id)
      card.rows = card.rows.filter(({ subTypeName }) => subTypeName !== printing)
    },

    /** Marks a set as changed. */
    touch(setId: number): void {
      group(setId).modifiedOn = `${publishedAt.toISOString().slice(0, 19)}.5`
    },

    /** Publishes the current state, this many days after the last publication. */
    publish(days = 0): Date {
      publishedAt = new Date(publishedAt.getTime() + days * MS_A_DAY)
      const next = filesOf(games, publishedAt)
      for (const path of files.keys()) if (!next.has(path)) files.delete(path)
      for (const [path, text] of next) files.set(path, text)
      return publishedAt
    },
  }
}

export type NewCard = {
  id: number
  name?: string
  number?: string | null
  rarity?: string | null
  /** Market price in dollars by printing. */
  prices?: Record<string, number | null>
  extra?: Record<string, unknown>
}

/** Sets with the ids of their games, and cards by the ids of their sets. */
type SmallCatalog = {
  games: readonly { id: number; name: string }[]
  sets: readonly (readonly [
    game: number,
    set: { id: number; name: string; abbreviation?: string },
  ])[]
  cards: Readonly<Record<number, readonly NewCard[]>>
}

/** Creates an upstream that has published a catalog. */
export function createCatalogUpstream({ games, sets, cards }: SmallCatalog): Upstream {
  const upstream = createUpstream()
  for (const game of games) upstream.addGame(game)
  for (const [game, set] of sets) {
    upstream.addSet(game, set)
    for (const card of cards[set.id] ?? []) upstream.addCard(set.id, card)
  }
  upstream.publish()
  return upstream
}

/** Creates a price row from a market price; the other prices follow from it. */
export function priceRow(printing: string, marketPrice: number | null): PriceRow {
  const of = (share: number) =>
    marketPrice === null ? null : Math.max(0.01, Math.round(marketPrice * share * 100) / 100)
  return { subTypeName: printing, marketPrice, lowPrice: of(0.8), midPrice: of(1.1) }
}

/** Creates two games with two sets each and four cards per set; the last card of a set is a sealed box. */
export function smallUpstream(start?: string): Upstream {
  const upstream = createUpstream(start)
  upstream.addGame({ id: 3, name: 'Pokemon' })
  upstream.addGame({ id: 500, name: 'Harbour & Haven', popularity: 20_000 })
  const names = ['Tide Turtle', 'Reef Raider', 'Foam Fox', 'Booster Box']
  for (const [gameId, setId] of SMALL_SETS) {
    upstream.addSet(gameId, { id: setId, name: `Chapter ${setId % 10}` })
    for (const [index, name] of names.entries()) {
      const id = setId * 10 + index
      const sealed = index === 3
      upstream.addCard(setId, {
        id,
        name,
        number: sealed ? null : `${index + 1}/3`,
        rarity: sealed ? null : 'Common',
        prices: sealed ? { Normal: 120 } : { Normal: 1.5 + index, Holofoil: 4 + index },
      })
    }
  }
  upstream.publish()
  return upstream
}

/** Game and set ids of `smallUpstream`; its cards are the set's id times ten, plus 0 to 3. */
export const SMALL_SETS = [
  [3, 11],
  [3, 12],
  [500, 21],
  [500, 22],
] as const

/** Writes a mirror's files to a folder; unchanged files are not touched. */
export function writeMirror(files: ReadonlyMap<string, string>, folder: string): void {
  for (const [path, text] of files) {
    const file = join(folder, path)
    if (textIn(file) === text) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Writes today's price files like the daily archive: `folder/YYYY-MM-DD/{game}/{set}/prices`. */
export function writeArchive(upstream: Upstream, folder: string): void {
  const date = upstream.publishedAt().toISOString().slice(0, 10)
  const prices = [...upstream.files].flatMap(([path, text]) => {
    const [, game, set, kind] = path.split('/')
    return kind === 'prices' ? [[`${date}/${game}/${set}/prices`, text] as const] : []
  })
  writeMirror(new Map(prices), folder)
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function filesOf(games: readonly Category[], publishedAt: Date): Map<string, string> {
  const files = new Map([
    ['last-updated.txt', `${publishedAt.toISOString().slice(0, 19)}+0000\n`],
    [
      'tcgplayer/categories',
      envelope(
        games.map(({ groups, ...game }) => ({ ...game, displayName: game.name, isDirect: true })),
      ),
    ],
  ])
  for (const { categoryId, groups } of games) {
    const root = `tcgplayer/${categoryId}`
    const heads = groups.map(({ products, strays, ...head }) => ({ ...head, categoryId }))
    files.set(`${root}/groups`, envelope(heads))
    for (const { groupId, products, strays } of groups) {
      files.set(
        `${root}/${groupId}/products`,
        envelope(products.map((product) => productRecord(product, categoryId, groupId))),
      )
      const rows = products.flatMap(({ productId, rows }) =>
        rows.map((row) => ({ productId, ...row })),
      )
      files.set(`${root}/${groupId}/prices`, envelope([...rows, ...strays]))
    }
  }
  return files
}

function productRecord(product: Product, categoryId: number, groupId: number): object {
  const { productId, name, number, rarity, extra } = product
  const pairs = { Number: number, Rarity: rarity }
  return {
    productId,
    name,
    cleanName: name.replace(/[^\w ]/g, ''),
    imageUrl: `https://pictures.example/product/${productId}_200w.jpg`,
    categoryId,
    groupId,
    url: `https://marketplace.example/product/${productId}`,
    presaleInfo: { isPresale: false },
    extendedData: Object.entries(pairs).flatMap(([name, value]) =>
      value === null ? [] : [{ name, displayName: name, value }],
    ),
    ...extra,
  }
}

function envelope(results: readonly object[]): string {
  return JSON.stringify({ totalItems: results.length, success: true, errors: [], results })
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the invented upstream has no ${what}`)
  return value
}

export type SyncWorld = ReturnType<typeof createSyncWorld>

/** Creates a data folder that is synced from an invented upstream over HTTP, an hour after each publication. */
export function createSyncWorld(upstream: Upstream, options: Partial<MarketplaceOptions> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-sync-'))
  prepareFiles(dataDir)
  const mirror = startMirror(upstream.files)
  const marketplaceOptions = {
    upstreamUrl: mirror.url,
    userAgent: 'Cardstock/0.0.0 (+http://localhost:3000)',
    pauseMs: 0,
    backoffMs: 1,
    sleep: async () => undefined,
    ...options,
  }
  const catalogWriter = openCatalogWriter(dataDir)
  const catalog = openCatalog(dataDir, createPictureUrl('http://localhost:3000'))
  const db = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
  const logged: { event: string; facts: object }[] = []
  const clock: { now: Date | undefined } = { now: undefined }
  let seen = 0

  const deps = {
    dataDir,
    catalogWriter,
    marketplace: openMarketplace(marketplaceOptions),
    log: createWarningLog(logged),
    now: () => clock.now ?? new Date(upstream.publishedAt().getTime() + 3_600_000),
  }

  return {
    dataDir,
    upstream,
    mirror,
    catalog,
    db,
    deps,
    /** All warnings and errors of the sync. */
    logged,
    /** Undefined for an hour after the publication. */
    clock,

    /** @param timeoutMs of this run's requests, if not that of all */
    async sync(request: SyncRequest = {}, timeoutMs?: number): Promise<SyncReport> {
      const impatient =
        timeoutMs === undefined ? undefined : openMarketplace({ ...marketplaceOptions, timeoutMs })
      const marketplace = impatient ?? deps.marketplace
      const report = await syncCatalog({ ...deps, marketplace }, request)
      impatient?.close()
      catalog.publication.refresh()
      return report
    },

    /** Runs a sync that ends after so many sets, as a killed process does. @returns false if it ended before */
    async stopAfter(sets: number | undefined, request: SyncRequest = {}): Promise<boolean> {
      const stopped = new Error('stopped')
      const onProgress = ({ done }: { done: number }) => {
        if (done === sets) throw stopped
      }
      const thrown = await this.sync({ ...request, onProgress }).then(
        () => undefined,
        (error) => error,
      )
      if (thrown !== undefined && thrown !== stopped) throw thrown
      return thrown === stopped
    },

    /** Slugs of the games whose data is reported as stale. */
    staleGames(): string[] {
      const games = catalog.games.listFreshness()
      return games
        .filter((game) => staleSince(game, deps.now()) !== undefined)
        .map(({ slug }) => slug)
    },

    /** Publishes upstream after this many days, and syncs. */
    async day(days = 1, request: SyncRequest = {}): Promise<SyncReport> {
      upstream.publish(days)
      return this.sync(request)
    },

    /** Imports a folder of archives on a separate connection, like the command. */
    importHistory(folder: string): ImportReport {
      const own = openCatalogWriter(dataDir)
      const report = importHistory({ ...deps, catalogWriter: own }, folder)
      own.close()
      catalog.publication.refresh()
      return report
    },

    /** The paths with this end that were requested since the last call, in order. */
    newRequestPaths(end = ''): string[] {
      const paths = mirror.requests.slice(seen).map(({ path }) => path)
      seen = mirror.requests.length
      return paths.filter((path) => path.endsWith(end))
    },

    /** Returns the prices of a card by printing, as the API returns them. */
    prices(cardId: number): Record<string, Price> {
      const text = catalog.prices.getByCard(cardId)?.json
      // The store renders Price objects; a test that reads a wrong one fails.
      const prices = JSON.parse(text ?? '[]') as Price[]
      return Object.fromEntries(prices.map((price) => [price.printing, price]))
    },

    /** Returns every point of a printing in ascending order. */
    points(cardId: number, printing = 'Normal') {
      const series = catalog.history.listByCard(cardId, 0)
      return series.find((one) => one.printing === printing)?.points ?? []
    },

    contents: (options?: ContentsOptions) => readContents(db, options),

    close(): void {
      deps.marketplace.close()
      mirror.close()
      catalogWriter.close()
      catalog.close()
      db.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export function createWarningLog(logged: { event: string; facts: object }[]): Log {
  const note = (event: string, facts: object = {}) => void logged.push({ event, facts })
  return { debug: () => {}, info: () => {}, warn: note, error: note }
}

export type ContentsOptions = {
  /** Includes the times of the local clock, the version and the raw history blobs: every byte must be equal. */
  exact?: boolean
}

/**
 * Returns everything in a catalog as rows by table, to compare it with a clean sync or with an earlier state. Omits
 * the installation id and the sync's own log (its runs, and since when a game is stale).
 */
export function readContents(db: Db, { exact = false }: ContentsOptions = {}): Contents {
  const contents: Contents = {}
  const names = readNames(db)
  for (const { name, sql } of tablesIn(db)) {
    if (name === 'sync_runs' || name === 'installation') continue
    if (!exact && (name === 'versions' || name.startsWith('history_'))) continue
    if (/using\s+fts5/i.test(sql)) {
      contents[name] = linesIn(db, name, exact ? new Map() : names.tags)
      continue
    }
    const rows = db.prepare<[], Row>(`SELECT * FROM ${name}`).all()
    contents[name] = sorted(rows.map((row) => comparable(name, row, names, exact)))
  }
  if (!exact) {
    contents.history = sorted(historyIn(db, names.printings))
    // Their number and order of creation have no visible effect.
    delete contents.printings
    delete contents.search_tags
  }
  return contents
}

export type Contents = Record<string, string[]>

/** Returns the first rows that only one of two catalogs contains; empty if they are equal. */
export function differences(found: Contents, wanted: Contents): string[] {
  const tables = new Set([...Object.keys(found), ...Object.keys(wanted)])
  return [...tables]
    .flatMap((table) => {
      const [left, right] = [new Set(found[table]), new Set(wanted[table])]
      return [
        ...[...left].filter((row) => !right.has(row)).map((row) => `too much: ${table} ${row}`),
        ...[...right].filter((row) => !left.has(row)).map((row) => `missing: ${table} ${row}`),
      ]
    })
    .slice(0, 12)
}

type Row = Record<string, unknown>

/** Returns ordinary and full-text tables, without the shadow tables of the latter. */
function tablesIn(db: Db): { name: string; sql: string }[] {
  const tables = db
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
  const virtual = tables.filter(({ sql }) => /^create virtual/i.test(sql))
  return tables.filter(({ name }) => !virtual.some((table) => name.startsWith(`${table.name}_`)))
}

/** Names of rows that a catalog numbers in their order of creation, which has no visible effect. */
type Names = { printings: ReadonlyMap<unknown, string>; tags: ReadonlyMap<unknown, string> }

function readNames(db: Db): Names {
  const printings = db.prepare<[], { id: number; name: string }>('SELECT id, name FROM printings')
  const tags = db.prepare<[], { tag: string; kind: string; value: string }>(
    'SELECT tag, kind, value FROM search_tags',
  )
  return {
    printings: new Map(printings.all().map(({ id, name }) => [id, name])),
    tags: new Map(tags.all().map(({ tag, kind, value }) => [tag, `${kind} ${value}`])),
  }
}

/** Returns every term of a full-text table with its position. */
function linesIn(db: Db, table: string, tags: Names['tags']): string[] {
  const words = `temp.words_of_${table}`
  db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${words} USING fts5vocab(main, ${table}, instance)`)
  const rows = db.prepare<[], Row>(`SELECT term, doc, col, offset FROM ${words}`).all()
  return sorted(
    rows.map(({ term, ...row }) => [tags.get(term) ?? term, ...Object.values(row)].join(' ')),
  )
}

function comparable(table: string, row: Row, { printings, tags }: Names, exact: boolean): string {
  const columns = Object.entries(row).filter(([column]) => column !== 'stale_since')
  if (exact) return JSON.stringify(Object.fromEntries(columns))
  return JSON.stringify(
    Object.fromEntries(
      columns
        .filter(([column]) => !CLOCK.has(column) && !CLOCK.has(`${table}.${column}`))
        .map(([column, value]) => {
          if (column === 'missing_since') return [column, value !== null]
          if (PRINTING_IDS.has(column)) return [column, printings.get(value) ?? value]
          if (column === 'tag') return [column, tags.get(value) ?? value]
          return [column, value]
        }),
    ),
  )
}

// Columns that depend on the clock or count runs.
const CLOCK = new Set([
  'last_synced_at',
  'products_read_at',
  'publication.changed_at',
  'publication.version',
  'updated_in',
  'search_documents.version',
  'upstream_files.last_modified',
  'card_names.place',
  'card_name_prices.first_place',
])
const PRINTING_IDS = new Set(['printing_id', 'card_printing_id'])

/** Returns each series with its points, in either table. */
function historyIn(db: Db, printings: Names['printings']): string[] {
  const series = new Map<number, Map<number, string>>()
  const blobs = db.prepare<[], { series_id: number; points: Uint8Array }>(
    `SELECT series_id, points FROM history_cold UNION ALL
     SELECT series_id, points FROM history_hot`,
  )
  for (const { series_id, points } of blobs.all()) {
    const days = series.get(series_id) ?? new Map<number, string>()
    series.set(series_id, days)
    for (const { day, ...point } of unpackPoints(points)) days.set(day, JSON.stringify(point))
  }
  return [...series].map(([id, days]) => {
    const points = [...days].sort(([a], [b]) => a - b).map(([day, point]) => `${day} ${point}`)
    return `${Math.floor(id / 1024)} ${printings.get(id % 1024)}: ${points.join(' ')}`
  })
}

function sorted(lines: string[]): string[] {
  return lines.sort()
}
