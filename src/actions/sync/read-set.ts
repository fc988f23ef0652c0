import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import type { Marketplace } from '#outbound/marketplace/marketplace.ts'
import type { RejectedRecord, UpstreamGame, UpstreamSet } from '#rules/catalog/catalog-records.ts'
import { parseCardsFile, parsePricesFile } from '#rules/sync/upstream.ts'
import type { SetBatch } from '#store/catalog/catalog-writer.ts'
import type { KnownFile, SetState } from '#store/catalog/sync-log.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'
import { parseFile } from './parse-file.ts'

type ReadDeps = { catalogWriter: CatalogWriter; marketplace: Marketplace; now: () => Date }

export type ReadSetInput = {
  game: UpstreamGame
  set: UpstreamSet
  /** State in the catalog; undefined for a new set. */
  state: SetState | undefined
  force: boolean
}

/**
 * Reads the prices of one set, and its products if the set is new, has changed, or was not read for two days. Nothing
 * is checked yet: see check-game.ts.
 *
 * @throws UpstreamError with the reason for the operator
 */
export async function readSet(
  deps: ReadDeps,
  request: ReadSetInput,
): Promise<{ delivery: SetBatch; bad: RejectedRecord[] }> {
  const { marketplace } = deps
  // A migration needs files that the upstream may report as unchanged.
  const input = request.state?.products_read_at === 0 ? { ...request, force: true } : request
  const { game, set } = input
  const productsPath = marketplace.productsPath(game.id, set.id)
  const pricesPath = marketplace.pricesPath(game.id, set.id)

  const products_read = isProductsDue(input, deps.now())
  const products = products_read ? await fetchFile(deps, input, productsPath) : undefined
  // New products may match prices that were skipped before, so all prices are read again.
  const prices = await fetchFile(deps, products ? { ...input, force: true } : input, pricesPath)
  const cards =
    products && parseFile(productsPath, () => parseCardsFile(products.text, game.id, set.id))
  const rows = prices && parseFile(pricesPath, () => parsePricesFile(prices.text))
  return {
    bad: [...(cards?.rejected ?? []), ...(rows?.rejected ?? [])],
    delivery: {
      set,
      products_read,
      cards: cards?.records,
      prices: rows?.records,
      unreadable: {
        cards: parseCardIds(cards?.rejected ?? []),
        prices: parseCardIds(rows?.rejected ?? []),
      },
      files: [
        ...(products ? [{ path: productsPath, ...products.validator }] : []),
        ...(prices ? [{ path: pricesPath, ...prices.validator }] : []),
      ],
    },
  }
}

function isProductsDue({ set, state, force }: ReadSetInput, now: Date): boolean {
  if (state === undefined || force || state.modified_on !== set.modified_on) return true
  // A read time in the future means that the clock was wrong. It must not delay the next read.
  return Math.abs(now.getTime() / 1000 - state.products_read_at) > PRODUCTS_AGE_SECONDS_MAX
}

/** @returns undefined if the file has not changed since it was last read */
async function fetchFile(
  { catalogWriter, marketplace }: ReadDeps,
  { set, state, force }: ReadSetInput,
  path: string,
): Promise<{ text: string; validator: KnownFile } | undefined> {
  const known = force || state === undefined ? undefined : catalogWriter.syncLog.getFile(path)
  const fetched = await marketplace.fetchFile(path, known)
  if (fetched.status === 'fresh') return fetched
  if (fetched.status === 'unchanged') return undefined
  // A set that was just announced has no files yet.
  if (state === undefined)
    return { text: EMPTY_FILE, validator: { etag: null, last_modified: null } }
  const reason = `The file of set ${set.id} no longer exists; the catalog keeps its data.`
  throw new UpstreamError(path, reason)
}

/** Returns the card id at the start of rejected records' ids, if it could be read. */
function parseCardIds(bad: readonly RejectedRecord[]): number[] {
  return bad.map(({ id }) => Number.parseInt(id, 10)).filter(Number.isInteger)
}

const EMPTY_FILE = '{"success":true,"errors":[],"results":[]}'

/** Products are read at least this often, even if the set shows no change. */
const PRODUCTS_AGE_SECONDS_MAX = 2 * 86_400
