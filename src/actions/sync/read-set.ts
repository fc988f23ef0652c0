import type { Marketplace } from '#outbound/marketplace/marketplace.ts'
import { UpstreamError } from '#outbound/marketplace/marketplace.ts'
import type {
  RejectedRecord,
  UpstreamCard,
  UpstreamGame,
  UpstreamPrice,
  UpstreamSet,
} from '#rules/catalog/catalog-records.ts'
import { findSetProblem, type PriceFacts, type SetFacts } from '#rules/sync/sanity-checks.ts'
import { parseCardsFile, parsePricesFile } from '#rules/sync/upstream.ts'
import type { SetBatch } from '#store/catalog/catalog-writer.ts'
import type { KnownFile, SetState } from '#store/catalog/sync-log.ts'
import type { CatalogWriter } from '#store/index.ts'

type ReadDeps = { catalogWriter: CatalogWriter; marketplace: Marketplace; now: () => Date }

export type ReadSetInput = {
  game: UpstreamGame
  set: UpstreamSet
  /** What is in of it; undefined for a set that is new. */
  state: SetState | undefined
  force: boolean
}

/**
 * Reads one set: its products where it is new, changed or was not asked for in two days, and its
 * prices. What would take away too much of what is in is refused, and the set stays as it was.
 *
 * @throws Error in words for the operator
 */
export async function readSet(
  deps: ReadDeps,
  asked: ReadSetInput,
): Promise<{ delivery: SetBatch; bad: RejectedRecord[]; facts: PriceFacts }> {
  const { marketplace } = deps
  const { game, set } = asked
  const productsPath = marketplace.productsPath(game.id, set.id)
  const pricesPath = marketplace.pricesPath(game.id, set.id)

  const products_read = needsProducts(asked, deps.now())
  const products = products_read ? await fileOf(deps, asked, productsPath) : undefined
  // New products may be the cards of prices that stood there before them: all are read again.
  const prices = await fileOf(deps, products ? { ...asked, force: true } : asked, pricesPath)
  const cards = products && parseCardsFile(products.text, game.id, set.id)
  const rows = prices && parsePricesFile(prices.text)

  const facts = factsOf(deps, asked, cards?.records, rows?.records)
  const refusal = asked.force ? undefined : findSetProblem(facts)
  if (refusal !== undefined) throw new Error(refusal)
  return {
    facts,
    bad: [...(cards?.rejected ?? []), ...(rows?.rejected ?? [])],
    delivery: {
      set,
      products_read,
      cards: cards?.records,
      prices: rows?.records,
      unreadable: {
        cards: cardIdsOf(cards?.rejected ?? []),
        prices: cardIdsOf(rows?.rejected ?? []),
      },
      files: [
        ...(products ? [{ path: productsPath, ...products.validator }] : []),
        ...(prices ? [{ path: pricesPath, ...prices.validator }] : []),
      ],
    },
  }
}

function needsProducts({ set, state, force }: ReadSetInput, now: Date): boolean {
  if (state === undefined || force || state.modified_on !== set.modified_on) return true
  return now.getTime() / 1000 - state.products_read_at > PRODUCTS_SECONDS_MAX
}

/** A file's text, or undefined when it is as it was when it was last taken in. */
async function fileOf(
  { catalogWriter, marketplace }: ReadDeps,
  { set, state, force }: ReadSetInput,
  path: string,
): Promise<{ text: string; validator: KnownFile } | undefined> {
  const known = force || state === undefined ? undefined : catalogWriter.syncLog.getFile(path)
  const fetched = await marketplace.fetchFile(path, known)
  if (fetched.status === 'fresh') return fetched
  if (fetched.status === 'unchanged') return undefined
  // A set that was only just announced has no files yet; one that had them has lost them.
  if (state === undefined) return { text: EMPTY, validator: { etag: null, last_modified: null } }
  throw new UpstreamError(path, `The file of set ${set.id} is gone; what is in of it stays.`)
}

/** What a set's intake would do to what is in of it. */
function factsOf(
  { catalogWriter }: ReadDeps,
  { game, set }: ReadSetInput,
  cards: readonly UpstreamCard[] | undefined,
  prices: readonly UpstreamPrice[] | undefined,
): SetFacts {
  const holder = catalogWriter.syncLog.getGameOfSet(set.id)
  return {
    id: set.id,
    name: set.name,
    held_by: holder === undefined || holder === game.id ? null : nameOf(catalogWriter, holder),
    cards_foreign: catalogWriter.syncLog.countForeignCards(
      cards?.map((card) => card.id) ?? [],
      game.id,
    ),
    ...catalogWriter.syncLog.measureLoss(set.id, cards, prices),
  }
}

function nameOf(catalogWriter: CatalogWriter, gameId: number): string {
  return (
    catalogWriter.syncLog.listGames().find((game) => game.id === gameId)?.name ?? 'another game'
  )
}

/** The cards that bad records are of: their ids begin with the card's, where it could be read. */
function cardIdsOf(bad: readonly RejectedRecord[]): number[] {
  return bad.map(({ id }) => Number.parseInt(id, 10)).filter(Number.isInteger)
}

const EMPTY = '{"success":true,"errors":[],"results":[]}'

/** Products change rarely; after this long they are asked for although the set shows no change. */
const PRODUCTS_SECONDS_MAX = 2 * 86_400
