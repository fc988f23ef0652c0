import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tiers.ts'
import type {
  CollectionImportReport,
  FileImport,
  ImportProblem,
} from '#rules/collections/file-import.ts'
import { HOLDING_QUANTITY_MAX } from '#rules/collections/holding.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ImportKey, ImportProgress } from '#store/ledger/collections/collection-imports.ts'
import type { NewItem } from '#store/ledger/collections/item-writer.ts'
import { listNotFound } from './manage-lists.ts'
import { createItemId } from './parse-item.ts'
import { type ImportedRow, type ImportPart, readImport } from './read-import.ts'

type ImportDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/**
 * Imports a file. Each part is stored in one transaction with the progress, so that the same file can be sent again
 * to continue after a crash, a lost connection, or when the collection was full. A file that is already in the
 * collection changes nothing, unless `again` is set. Yields to other requests.
 *
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR or TOO_MANY_ITEMS
 */
export async function importFile(
  deps: ImportDeps,
  input: FileImport,
): Promise<CollectionImportReport> {
  const { ledger, now } = deps
  const { collection_id, file, game, again } = input
  const content_hash = hashFile(file, game)
  const begin = () => ledger.collectionImports.begin({ collection_id, content_hash, again }, now())
  const first = await begin()
  const key = { collection_id, content_hash, run: first.run }
  const report = (progress: ImportProgress, isFull: boolean): CollectionImportReport => ({
    ...readProgress(progress),
    is_full: isFull,
    is_repeated: first.completed_at !== null,
  })
  if (first.completed_at !== null) return report(first, false)
  const max = tierLimits(input).items
  let progress = first
  for await (const part of readImport(deps, file, { game, today: dayOf(now()) })) {
    if (part.start >= rowsMax(max)) throw tooManyRows(rowsMax(max))
    const next = await storePart(deps, { key, part, progress, max })
    progress = next.progress
    if (next.outcome === 'full') return report(progress, true)
  }
  await ledger.collectionImports.complete(key, now())
  return report(progress, false)
}

/** Maximum number of rows in a file: rows without a card take no space in the collection, but they take time. */
function rowsMax(itemsMax: number): number {
  return Math.max(10_000, 2 * itemsMax)
}

function tooManyRows(max: number): ServiceError {
  const message = `A file may have at most ${max} rows with your plan. The first ${max} rows were imported. Send the others in another file.`
  return new ServiceError('TOO_MANY_ITEMS', message)
}

function hashFile(file: Uint8Array, game: string | undefined): string {
  return new Bun.CryptoHasher('sha256')
    .update(file)
    .update(`\0${game ?? ''}`)
    .digest('hex')
}

type PartContext = { key: ImportKey; part: ImportPart; progress: ImportProgress; max: number }

type StoredPart = { outcome: 'stored' | 'full'; progress: ImportProgress }

/** Stores the unfinished rows of a part. Another request may store some of them first. */
async function storePart(deps: ImportDeps, context: PartContext): Promise<StoredPart> {
  const { collectionImports: imports } = deps.ledger
  const { key, part, max } = context
  const end = part.start + part.size
  let { progress } = context
  while (progress.done < end) {
    const rows = await part.resolve(progress.done)
    const whole = toBatch(deps, rows)
    const outcome = await addRows(deps, key, progress, whole, max)
    if (outcome === 'missing') throw listNotFound('owned')
    if (outcome === 'stored') return { outcome, progress: advance(progress, whole) }
    if (outcome === 'full') {
      const room = (await imports.countRoom(key.collection_id, max)) ?? 0
      const fitting = cutBatch(whole, room)
      const cut = await addRows(deps, key, progress, fitting, max)
      if (cut === 'stored') return { outcome, progress: advance(progress, fitting) }
    }
    // Another request was faster: continue after its rows.
    progress = await imports.begin({ ...key, again: false }, deps.now())
  }
  return { outcome: 'stored', progress }
}

/** A finished row, with its item or the reason why it has none. */
type DoneRow = { item: NewItem | undefined; problems: ImportProblem[] }

function addRows(
  { ledger, now }: ImportDeps,
  key: ImportKey,
  before: ImportProgress,
  rows: readonly DoneRow[],
  max: number,
) {
  const { done, problem_count, problems } = advance(before, rows)
  return ledger.collectionImports.addBatch(
    key,
    {
      before: before.done,
      next: done,
      items: rows.flatMap(({ item }) => item ?? []),
      problem_count: problem_count - before.problem_count,
      problems,
    },
    max,
    now(),
  )
}

/** Returns the progress after more rows. */
function advance(before: ImportProgress, rows: readonly DoneRow[]): ImportProgress {
  const found = rows.flatMap(({ problems }) => problems)
  const known = parseProblems(before.problems)
  const kept = [...known, ...found.slice(0, Math.max(0, PROBLEMS_KEPT - known.length))]
  return {
    ...before,
    done: before.done + rows.length,
    imported: before.imported + rows.filter(({ item }) => item !== undefined).length,
    problem_count: before.problem_count + found.length,
    problems: kept.length === known.length ? before.problems : JSON.stringify(kept),
  }
}

/** Maximum number of stored problems; all of them are counted. */
const PROBLEMS_KEPT = 200

function parseProblems(json: string): ImportProblem[] {
  // `advance` has written this text, so its shape is known.
  return JSON.parse(json) as ImportProblem[]
}

/** Returns the rows up to the first one without room in the collection. */
function cutBatch(rows: readonly DoneRow[], room: number): DoneRow[] {
  let items = 0
  const end = rows.findIndex(({ item }) => item !== undefined && ++items > room)
  return end < 0 ? [...rows] : rows.slice(0, end)
}

function readProgress({ done, imported, problem_count, problems }: ImportProgress) {
  return {
    rows: done,
    imported,
    skipped: done - imported,
    problem_count,
    problems: parseProblems(problems),
  }
}

/** Creates items from resolved rows. */
function toBatch({ catalog }: Pick<Deps, 'catalog'>, rows: readonly ImportedRow[]): DoneRow[] {
  const ids = rows.flatMap(({ resolved }) => ('found' in resolved ? resolved.found.card.id : []))
  const cards = catalog.sources.holdings.getByIds(ids)
  return rows.map(({ resolved, holding, notes }) => {
    const { row, name } = resolved.input
    const problem = (reason: string, item?: NewItem): ImportProblem => ({
      row,
      name: name?.slice(0, NAME_SHOWN) ?? null,
      card_id: item?.card_id ?? null,
      card_name: item?.name ?? null,
      reason,
      is_imported: item !== undefined,
    })
    if (!('found' in resolved)) return { item: undefined, problems: [problem(resolved.reason)] }
    const { found, quantity } = resolved
    if (quantity > HOLDING_QUANTITY_MAX) {
      return { item: undefined, problems: [problem('invalid_quantity')] }
    }
    const { card, printing } = found
    const stored = cards.get(card.id)
    const isSealed = stored?.is_single === false && holding.condition === 'near_mint'
    const item: NewItem = {
      ...holding,
      id: createItemId(),
      card_id: card.id,
      name: card.name,
      number: card.number,
      game: card.game_slug,
      set_id: stored?.set_id ?? 0,
      set_name: card.set_name,
      printing: printing?.printing ?? null,
      quantity,
      condition: isSealed ? 'unopened' : holding.condition,
    }
    const guess = found.corrected_name === undefined ? [] : ['similar_name']
    const reasons = [...guess, ...found.notes, ...notes]
    return { item, problems: reasons.map((reason) => problem(reason, item)) }
  })
}

const NAME_SHOWN = 100
