import { useQueries, useQuery } from '@tanstack/react-query'
import type { ApiResponse } from '#client/client.ts'
import type { CollectionImport } from '#client/endpoints.ts'
import { apiQuery, forgetAnswers, pollQuery, queryClient } from '../../query-client.ts'

const PATH = '/v1/imports/{id}'
/** Key of all answers about imports. */
const ALL = { queryKey: [PATH] }

type ImportAnswer = ApiResponse<'GET', typeof PATH>

export type ImportEntry = CollectionImport['entries'][number]

export type ImportKind = ImportEntry['kind']

/** Kinds of rows in the order of the page: those that need a decision come first. */
export const ROW_KINDS = ['guessed', 'assumed', 'not_found', 'skipped', 'certain'] as const

/** Rows on a page of a group. */
const ROWS = 25
const PROGRESS_MS = 1_000
/** Time during which pages that were left are kept: a large file has thousands. */
const KEPT_MS = 5 * 60_000

/** Fetches an import without its rows, and follows its progress. */
export function useImport(id: string) {
  return useQuery(
    pollQuery(apiQuery(PATH, { path: { id }, query: { per_page: 1 } }), (answer) =>
      isUnfinished(answer?.data.state) ? PROGRESS_MS : undefined,
    ),
  )
}

/** An import that runs in this tab or in another one, or was interrupted. */
function isUnfinished(state: CollectionImport['state'] | undefined): boolean {
  return state === 'importing' || state === 'undoing'
}

/** Fetches the shown page of each group of rows, in the order of the groups. */
export function useGroups(id: string, groups: readonly { kind: ImportKind; page: number }[]) {
  return useQueries({
    queries: groups.map(({ kind, page }) => ({
      ...apiQuery(PATH, { path: { id }, query: { kind, page, per_page: ROWS } }),
      // Another tab may have changed them.
      refetchOnMount: 'always' as const,
      gcTime: KEPT_MS,
    })),
  })
}

/** Shows the answer to a change in all views of the import. */
export function showImport(answer: CollectionImport): void {
  const changed = new Map(answer.entries.map((row) => [row.id, row]))
  queryClient.setQueriesData<ImportAnswer>(ALL, (shown) => {
    if (shown?.data.id !== answer.id) return shown
    const entries = shown.data.entries.map((row) => changed.get(row.id) ?? row)
    return { ...shown, data: { ...answer, entries } }
  })
}

/** Fetches all shown parts of the import again, and forgets the others. @returns false if a part could not be fetched */
export async function reloadImport(): Promise<boolean> {
  forgetAnswers()
  await queryClient.refetchQueries({ ...ALL, type: 'active' })
  const shown = queryClient.getQueryCache().findAll({ ...ALL, type: 'active' })
  return shown.every(({ state }) => state.status === 'success')
}

/** Returns the import as it was last fetched, and the rows that were fetched, by id. */
export function readKnownImport(id: string) {
  const answers = queryClient
    .getQueriesData<ImportAnswer>(ALL)
    .flatMap(([, answer]) => (answer?.data.id === id ? answer.data : []))
  const rows = answers.flatMap(({ entries }) => entries)
  return {
    newest: answers.toSorted((one, other) => other.revision - one.revision)[0],
    rows: new Map(rows.map((row) => [row.id, row])),
  }
}

export type KnownImport = ReturnType<typeof readKnownImport>

/** Returns the address of an import. */
export function importUrl(id: string): string {
  return `/import/${id}`
}
