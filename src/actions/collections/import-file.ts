import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tiers.ts'
import type {
  CollectionImportReport,
  FileImport,
  ImportProblem,
} from '#rules/collections/file-import.ts'
import { listImportUses } from '#rules/matching/column-uses.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { splitBytes } from '#rules/primitives/file-bytes.ts'
import type { ImportKey, ImportProgress } from '#store/ledger/collections/collection-imports.ts'
import { isCollection, readTableHeader } from '../matching/parse-collection.ts'
import { listNotFound } from './manage-lists.ts'
import { type ImportPart, type ReadRow, readImport } from './read-import.ts'

export type FileImportDeps = Pick<Deps, 'catalog' | 'now'> & {
  ledger: Pick<Deps['ledger'], 'collectionImports'>
}

/**
 * Imports a file part by part. Each part is read, then stored in one transaction with the progress, so that the same
 * file can be sent again to continue after a crash, a lost connection, or when the collection was full. A file that
 * is already in the collection changes nothing, unless `again` is set.
 *
 * @yields the progress of this run after each part
 * @returns the report
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR or TOO_MANY_ITEMS
 */
export async function* importParts(
  deps: FileImportDeps,
  input: FileImport,
): AsyncGenerator<RunProgress, CollectionImportReport, void> {
  const { ledger, now } = deps
  const { collection_id, file, game, prefer, again, accept } = input
  const content_hash = hashFile(input)
  const first = await ledger.collectionImports.begin({ collection_id, content_hash, again }, now())
  const key = { collection_id, content_hash, run: first.run }
  const columns = isCollection(file) ? listImportUses(await readTableHeader(file)) : []
  const report = (progress: ImportProgress, isFull: boolean): CollectionImportReport => ({
    ...readProgress(progress),
    columns,
    is_full: isFull,
    is_repeated: first.completed_at !== null,
  })
  if (first.completed_at !== null) return report(first, false)
  const max = tierLimits(input).items
  const options = { game, prefer, accept, today: dayOf(now()), rowsMax: rowsMax(max) }
  let [progress, dated] = [first, 0]
  for await (const part of readImport(deps, file, options)) {
    if (part.start >= options.rowsMax) throw tooManyRows(options.rowsMax)
    dated += part.dated
    const next = await importPart(deps, { key, part, progress, max })
    progress = next.progress
    if (next.outcome === 'full') return report(progress, true)
    yield { finished: progress.done - first.done, passed: part.start + part.size, dated }
  }
  await ledger.collectionImports.complete(key, now())
  return report(progress, false)
}

/**
 * Rows that a run has finished, rows of the file that it has passed, because an earlier run may have finished some, and
 * rows whose dates it has read before.
 */
export type RunProgress = { finished: number; passed: number; dated: number }

/** Maximum number of rows in a file: rows without a card take no space in the collection, but they take time. */
function rowsMax(itemsMax: number): number {
  return Math.max(10_000, 2 * itemsMax)
}

function tooManyRows(max: number): ServiceError {
  const message = `A file may have at most ${max} rows with your plan. The first ${max} rows were imported. Send the others in another file.`
  return new ServiceError('TOO_MANY_ITEMS', message)
}

function hashFile({
  file,
  game,
  prefer,
  accept,
}: Pick<FileImport, 'file' | 'game' | 'prefer' | 'accept'>): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const piece of splitBytes(file, PIECE_BYTES)) hash.update(piece)
  return hash.update(`\0${game ?? ''}\0${prefer}\0${accept.join()}`).digest('hex')
}

const PIECE_BYTES = 262_144

type PartContext = { key: ImportKey; part: ImportPart; progress: ImportProgress; max: number }

type StoredPart = { outcome: 'stored' | 'full'; progress: ImportProgress }

/** Reads and stores the unfinished rows of a part. Another request may store some of them first. */
async function importPart(deps: FileImportDeps, context: PartContext): Promise<StoredPart> {
  const { collectionImports: imports } = deps.ledger
  const { key, part, max } = context
  const end = part.start + part.size
  let { progress } = context
  while (progress.done < end) {
    const rows = await part.read(progress.done)
    const outcome = await storeRows(deps, { key, progress, max }, rows)
    if (outcome === 'missing') throw listNotFound('owned')
    if (outcome === 'stored') return { outcome, progress: advance(progress, rows) }
    if (outcome === 'full') {
      const room = (await imports.countRoom(key.collection_id, max)) ?? 0
      const fitting = cutRows(rows, room)
      const cut = await storeRows(deps, { key, progress, max }, fitting)
      if (cut === 'stored') return { outcome, progress: advance(progress, fitting) }
    }
    // Another request was faster: continue after its rows.
    progress = await imports.begin({ ...key, again: false }, deps.now())
  }
  return { outcome: 'stored', progress }
}

/** Stores rows that were read, with the progress after them. */
function storeRows(
  { ledger, now }: Pick<FileImportDeps, 'ledger' | 'now'>,
  { key, progress, max }: Omit<PartContext, 'part'>,
  rows: readonly ReadRow[],
) {
  const { done, problem_count, problems } = advance(progress, rows)
  return ledger.collectionImports.addBatch(
    key,
    {
      before: progress.done,
      next: done,
      items: rows.flatMap(({ item }) => item ?? []),
      problem_count: problem_count - progress.problem_count,
      problems,
    },
    max,
    now(),
  )
}

/** Returns the progress after more rows. */
function advance(before: ImportProgress, rows: readonly ReadRow[]): ImportProgress {
  const found = rows.flatMap(({ problems }) => problems)
  const known = parseProblems(before.problems)
  const kept = keepProblems([...known, ...found])
  return {
    ...before,
    done: before.done + rows.length,
    imported: before.imported + rows.filter(({ item }) => item !== undefined).length,
    problem_count: before.problem_count + found.length,
    problems: found.length === 0 ? before.problems : JSON.stringify(kept),
  }
}

/** Returns the first problems. Cards that are only assumed, as in every list without sets, leave room for the others. */
function keepProblems(problems: readonly ImportProblem[]): ImportProblem[] {
  const isAssumed = ({ reason }: ImportProblem) => reason === 'printing_assumed'
  const others = problems.filter((one) => !isAssumed(one)).length
  let room = Math.max(0, PROBLEMS_KEPT - others)
  return problems.filter((one) => !isAssumed(one) || room-- > 0).slice(0, PROBLEMS_KEPT)
}

/** Maximum number of stored problems; all of them are counted. */
const PROBLEMS_KEPT = 200

function parseProblems(json: string): ImportProblem[] {
  // `advance` has written this text, so its shape is known.
  return JSON.parse(json) as ImportProblem[]
}

/** Returns the rows up to the first one without room in the collection. */
function cutRows(rows: readonly ReadRow[], room: number): ReadRow[] {
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
