import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { syncCatalog } from '#actions/sync/sync-catalog.ts'
import { type Config, readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { openLog } from '#log.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { embedderVersion } from '#vision/retrieval/embedder-version.ts'
import { runPictureIndex } from '../src/jobs/tasks/picture-task.ts'

/** Scans, photos and a real catalog from third parties, which are not in the repository. */
export const SHARED = join(import.meta.dir, '../../shared')

const RUN = join(import.meta.dir, 'run/scans')

/** Pocket set whose cards are not in the catalogs (LEFT_OUT of evaluate/independent_photos.py). */
const LEFT_OUT = 'B1a'

function configOf(dataDir: string, mirror: string): Config {
  const upstreamUrl = pathToFileURL(mirror).href
  const settings = { DATA_DIR: dataDir, UPSTREAM_URL: upstreamUrl, LOG_LEVEL: 'warn' }
  return { ...readConfig(settings), identifyWorkers: 1 }
}

/** Syncs a data folder with a mirror on disk, and indexes its pictures if requested. */
export async function syncFolder(
  dataDir: string,
  mirror: string,
  isIndexed: boolean,
): Promise<Config> {
  mkdirSync(dataDir, { recursive: true })
  const config = configOf(dataDir, mirror)
  const intake = await openCatalogWriterDeps(config)
  const upstreamUrl = pathToFileURL(mirror).href
  const marketplace = openMarketplace({ upstreamUrl, userAgent: 'Cardstock bench' })
  await syncCatalog({ ...intake, marketplace }, {})
  intake.close()
  if (isIndexed) await runPictureIndex(config, openLog('warn'), {})
  return config
}

/**
 * Catalogs of the shared scans, as data folders: the scans alone, the scans among the real products (which have no
 * pictures), and the real products without pictures. A card has the same id in all of them.
 */
export type ScanCatalogs = { cards: ReadonlyMap<string, number> } & Record<
  'scans' | 'among' | 'print',
  Config
>

/** Creates the catalogs, or returns those of an earlier run with the same embedder. */
export async function prepareScanCatalogs(): Promise<ScanCatalogs> {
  const real = join(RUN, 'real')
  if (!existsSync(real)) unpack(real)
  const sets = scanSets(real)
  const folder = join(RUN, embedderVersion())
  const [few, many] = [join(RUN, 'mirror-scans'), join(RUN, 'mirror-among')]
  const ready = join(folder, 'ready')
  if (!existsSync(ready)) {
    rmSync(folder, { recursive: true, force: true })
    await writeMirror(few, real, sets, false)
    await writeMirror(many, real, sets, true)
    // Pictures outside the mirror's folder are ignored.
    cpSync(join(SHARED, 'scans'), join(few, 'scans'), { recursive: true })
    await syncFolder(join(folder, 'scans'), few, true)
    // The copy keeps the indexed pictures.
    cpSync(join(folder, 'scans'), join(folder, 'among'), { recursive: true })
    await syncFolder(join(folder, 'among'), many, false)
    await syncFolder(join(folder, 'print'), many, false)
    writeFileSync(ready, '')
  }
  return {
    scans: configOf(join(folder, 'scans'), few),
    among: configOf(join(folder, 'among'), many),
    print: configOf(join(folder, 'print'), many),
    cards: new Map(sets.flatMap(({ cards }) => cards.map(({ scan, id }) => [scan, id]))),
  }
}

function unpack(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const archive = join(SHARED, 'upstream/catalog.tar.zst')
  const { exitCode, stderr } = Bun.spawnSync(['tar', '--zstd', '-xf', archive, '-C', folder])
  if (exitCode !== 0) throw new Error(`${archive} cannot be unpacked: ${stderr}`)
}

/** A set with scans. Sets of the real catalog have their real id. */
type ScanSet = { game: number; id: number; name: string; code: string; cards: ScanCard[] }
type ScanCard = { scan: string; id: number; name: string; number: string }

const [MAGIC, POKEMON] = [1, 3]
const EVOLUTIONS = 300_116
/** First ids of sets and cards that are not in the real catalog. */
const [OWN_SETS, OWN_CARDS] = [900_000, 90_000_000]

function scanSets(real: string): ScanSet[] {
  const files = (folder: string) =>
    readdirSync(join(SHARED, 'scans', folder))
      .toSorted()
      .map((name) => ({ scan: `${folder}/${name}`, stem: basename(name, '.webp') }))
  const duskmourn = files('dsk').map(({ scan, stem }, index) => {
    const [name = '', rest = ''] = stem.split('__DSK_')
    const number = Number(rest.split('_')[0])
    const printed = Number.isNaN(number)
      ? (rest.split('_')[0] ?? '')
      : String(number).padStart(4, '0')
    return { scan, id: OWN_CARDS + index, name: name.replace(' __ ', ' // '), number: printed }
  })
  const evolutions = new Map(
    products(real, POKEMON, EVOLUTIONS).map((one) => [numberOf(one)?.split('/')[0], one]),
  )
  const pocket = Map.groupBy(
    files('pocket').map((file, index) => ({ ...file, id: OWN_CARDS + 1_000 + index })),
    ({ stem }) => stem.slice(0, stem.lastIndexOf('_')),
  )
  return [
    {
      game: MAGIC,
      id: OWN_SETS,
      name: 'Duskmourn: House of Horror',
      code: 'DSK',
      cards: duskmourn,
    },
    {
      game: POKEMON,
      id: EVOLUTIONS,
      name: 'XY - Evolutions',
      code: 'EVO',
      cards: files('evolutions').flatMap(({ scan, stem }) => {
        const product = evolutions.get(String(Number(stem)))
        const { productId, name } = product ?? {}
        return product === undefined || productId === undefined || name === undefined
          ? []
          : [{ scan, id: productId, name, number: numberOf(product) ?? '' }]
      }),
    },
    ...[...pocket]
      .filter(([code]) => code !== LEFT_OUT)
      .map(([code, list], index) => ({
        game: POKEMON,
        id: OWN_SETS + 1 + index,
        name: `Pocket ${code}`,
        code,
        // The files of the scans contain no names.
        cards: list.map(({ scan, stem, id }) => {
          const number = stem.slice(code.length + 1)
          return { scan, id, name: `Pocket ${code} ${number}`, number }
        }),
      })),
  ]
}

type Product = {
  productId: number
  name: string
  imageUrl: string | null
  extendedData: { name: string; value: string }[]
}

const numberOf = ({ extendedData }: Product) =>
  extendedData.find(({ name }) => name === 'Number')?.value

function products(root: string, game: number, set: number): Product[] {
  return read<Product>(root, `${game}/${set}/products`)
}

function read<T>(root: string, path: string): T[] {
  const file = join(root, 'tcgplayer', path)
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { results: T[] }).results
    : []
}

type Game = { categoryId: number }
type Group = { groupId: number }

const DAY = '2026-08-05T18:52:00'
const LATER = '2026-08-06T18:52:00'

/** Writes a mirror of the sets with scans, and of all real products without pictures. */
async function writeMirror(
  root: string,
  real: string,
  sets: readonly ScanSet[],
  hasOthers: boolean,
): Promise<void> {
  rmSync(join(root, 'tcgplayer'), { recursive: true, force: true })
  const write = (path: string, results: unknown[]) =>
    Bun.write(
      join(root, 'tcgplayer', path),
      JSON.stringify({ totalItems: results.length, success: true, errors: [], results }),
    )
  const games = read<Game>(real, 'categories').filter(
    ({ categoryId }) => hasOthers || categoryId === MAGIC || categoryId === POKEMON,
  )
  await write('categories', games)
  for (const { categoryId } of games) {
    const own = sets.filter(({ game }) => game === categoryId)
    const ids = new Set(own.map(({ id }) => id))
    const others = read<Group>(real, `${categoryId}/groups`).filter(
      ({ groupId }) => !ids.has(groupId),
    )
    await write(`${categoryId}/groups`, [
      ...own.map(({ id, name, code }) => ({
        groupId: id,
        name,
        abbreviation: code,
        isSupplemental: false,
        publishedOn: '2024-09-27T00:00:00',
        modifiedOn: DAY,
        categoryId,
      })),
      ...(hasOthers ? others : []),
    ])
    for (const set of own) {
      const ofScans = new Set(set.cards.map(({ id }) => id))
      const rest = hasOthers
        ? products(real, categoryId, set.id).filter(({ productId }) => !ofScans.has(productId))
        : []
      await write(`${categoryId}/${set.id}/products`, [
        ...set.cards.map((card) => productOf(card, set)),
        ...rest.map(withoutPicture),
      ])
      await write(
        `${categoryId}/${set.id}/prices`,
        set.cards.map(({ id }) => ({ ...PRICE, productId: id })),
      )
    }
    for (const { groupId } of hasOthers ? others : []) {
      const path = `${categoryId}/${groupId}`
      await write(`${path}/products`, products(real, categoryId, groupId).map(withoutPicture))
      await write(`${path}/prices`, read(real, `${path}/prices`))
    }
  }
  // A sync skips a mirror whose time has not changed.
  await Bun.write(join(root, 'last-updated.txt'), `${hasOthers ? LATER : DAY}+0000\n`)
}

const PRICE = {
  lowPrice: 1,
  midPrice: 2,
  highPrice: 3,
  marketPrice: 2,
  directLowPrice: null,
  subTypeName: 'Normal',
}

const withoutPicture = (product: Product): Product => ({ ...product, imageUrl: null })

function productOf({ scan, id, name, number }: ScanCard, { game, id: groupId }: ScanSet) {
  return {
    productId: id,
    name,
    cleanName: name,
    imageUrl: `scans/${scan}`,
    categoryId: game,
    groupId,
    url: `https://marketplace.example/product/${id}`,
    modifiedOn: DAY,
    imageCount: 1,
    presaleInfo: { isPresale: false, releasedOn: null, note: null },
    extendedData: [
      { name: 'Number', displayName: 'Card Number', value: number },
      { name: 'Rarity', displayName: 'Rarity', value: 'Common' },
    ],
  }
}

/** Folder of the photos of `bench scans`. */
export const SCANS = process.env.SCANS ?? join(dirname(import.meta.dir), 'data/run/scans')
