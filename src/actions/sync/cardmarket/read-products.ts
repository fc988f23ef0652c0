import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import type { SourceFiles } from '#outbound/marketplace/source-files.ts'
import type { RejectedRecord } from '#rules/catalog/catalog-records.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { findListProblem } from '#rules/sync/cardmarket/file-problems.ts'
import {
  type ListedProduct,
  PRODUCT_LISTS,
  type ProductListKind,
  productListPath,
  readCreatedAt,
  readListedProduct,
} from '#rules/sync/cardmarket/files.ts'
import { UpstreamFormatError } from '#rules/sync/upstream-shapes.ts'
import type { StoredProduct } from '#store/catalog/sources/source-products.ts'
import type { StagedFiles } from '#store/files/staged-files.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'
import { fetchStaged } from './fetch-staged.ts'
import { readRecords } from './read-records.ts'

type ReadDeps = {
  catalogWriter: CatalogWriter
  files: SourceFiles
  staged: StagedFiles
  now: () => Date
}

/** All products of a game, from new lists, and the stored ones of unchanged lists. */
export type ReadProducts = {
  products: ListedProduct[]
  /** Paths of the new lists. */
  fresh: string[]
  rejected: RejectedRecord[]
}

/**
 * Reads the product lists of a game that have changed.
 *
 * @param stored all stored products of the game
 * @throws UpstreamError also if far too many products vanish, unless forced
 */
export async function readProducts(
  deps: ReadDeps,
  game: { id: number; slug: string },
  stored: readonly StoredProduct[],
  isForced: boolean,
): Promise<ReadProducts> {
  const products: ListedProduct[] = []
  const fresh: string[] = []
  const rejected: RejectedRecord[] = []
  for (const kind of PRODUCT_LISTS) {
    const path = productListPath(kind, game.id)
    const file = await fetchStaged(deps, path, isForced || stored.length === 0)
    const before = stored.filter(({ is_sealed, missing_since }) => {
      return missing_since === null && (is_sealed === 1) === (kind === 'nonsingles')
    })
    if (file === undefined) {
      products.push(...before.map(toListed))
      continue
    }
    const read = await readList(deps, { path, file }, kind)
    const listed = new Set(read.records.map(({ id }) => id))
    const kept = before.filter(({ id }) => listed.has(id)).length
    const facts = { slug: game.slug, products_before: before.length, products_kept: kept }
    const problem = isForced ? undefined : findListProblem(facts)
    if (problem !== undefined) throw new UpstreamError(path, problem)
    products.push(...read.records)
    rejected.push(...read.rejected)
    fresh.push(path)
  }
  return { products, fresh, rejected }
}

async function readList(
  { now }: ReadDeps,
  source: { path: string; file: string },
  kind: ProductListKind,
) {
  const lastDay = dayOf(now()) + 1
  const read = await readRecords(source, 'products', (raw) => readListedProduct(raw, kind, lastDay))
  checkHead(source.path, read.head)
  return read
}

/** Returns the time at which a file was created. @throws UpstreamError if the format is another one */
export function checkHead(path: string, head: Record<string, unknown>): Date {
  try {
    return readCreatedAt(head)
  } catch (cause) {
    if (!(cause instanceof UpstreamFormatError)) throw cause
    throw new UpstreamError(path, `${cause.message}.`, { cause })
  }
}

function toListed({ id, name, expansion_id, is_sealed, added_on }: StoredProduct): ListedProduct {
  return { id, name, expansion_id, is_sealed: is_sealed === 1, added_on }
}
