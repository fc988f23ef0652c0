import { hashKey, keepPreviousData, notifyManager, QueryClient } from '@tanstack/react-query'
import type { ApiRequest, ApiResponse, MethodPath, RequestArguments } from '#client/client.ts'
import { type ApiError, api } from './api.ts'
import { toApiError } from './api-error.ts'
import { isHistoryNavigation } from './hooks/navigation.ts'
import { DOLLARS } from './numbers.ts'
import { inCurrency } from './pricing/currency.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
  }
}

/** Time during which an answer is shown without another request. Back and forward navigation also shows older ones. */
const FRESH_MS = 60_000
const KEPT_MS = 60 * 60_000

// Views show an answer at once, not after a timer.
notifyManager.setScheduler(queueMicrotask)

/**
 * Number of accounts that have used this page so far. It is part of each key, so that no account sees the answers of
 * an earlier account.
 */
let turn = 0

/** Answers of the API, by path and input. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: () => (isHistoryNavigation() ? Number.POSITIVE_INFINITY : FRESH_MS),
      gcTime: KEPT_MS,
      queryKeyHashFn: (key) => hashKey(isAnswer(key) ? [turn, ...key] : key),
      placeholderData: keepPreviousData,
      // The API client retries, and reports that the server cannot be reached.
      retry: false,
      networkMode: 'always',
      refetchOnReconnect: false,
      refetchOnWindowFocus: false,
    },
  },
})

/**
 * Declares the query of a GET. Views with equal input share its request, which is aborted when the last one leaves.
 * If the server no longer has the currency, it requests US dollars.
 */
export function apiQuery<Path extends MethodPath<'GET'>>(
  path: Path,
  ...[input]: RequestArguments<ApiRequest<'GET', Path>>
) {
  // Checked where it is called: the types of a generic path are not known here.
  const get = api.get as (path: Path, input: object) => Promise<ApiResponse<'GET', Path>>
  const { query }: { query?: { currency?: string } | undefined } = input ?? {}
  return defineQuery([path, input], (signal) =>
    inCurrency(query?.currency ?? DOLLARS, ({ currency }) =>
      get(path, { ...input, query: { ...query, currency }, signal }),
    ),
  )
}

/** Declares a query of several requests. Its key begins with the path of one, so that `refetchAfterChange` finds it. */
export function defineQuery<T>(
  key: readonly [path: MethodPath<'GET'>, ...input: unknown[]],
  fetcher: (signal: AbortSignal) => Promise<T>,
) {
  return {
    queryKey: key,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      fetcher(signal).catch((cause: unknown) => {
        throw toApiError(cause)
      }),
  }
}

/**
 * Fetches all pages of a list, 100 entries per request.
 *
 * @param atOnce maximum number of requests at a time; one for lists so long that they would keep the server busy
 * @returns the first response with the entries of all pages
 */
export async function fetchAllPages<Answer extends PagedAnswer>(
  fetchPage: (paging: { page: number; per_page: number }) => Promise<Answer>,
  atOnce = 6,
): Promise<Answer> {
  const pageAt = (page: number) => fetchPage({ page, per_page: 100 })
  const first = await pageAt(1)
  const answers = [first]
  const pages = Math.ceil(first.meta.total / first.meta.per_page)
  for (let start = 2; start <= pages; start += atOnce) {
    const count = Math.min(atOnce, pages - start + 1)
    const group = Array.from({ length: count }, (_, index) => pageAt(start + index))
    answers.push(...(await Promise.all(group)))
  }
  return { ...first, data: answers.flatMap((answer) => answer.data) }
}

type PagedAnswer = { data: readonly unknown[]; meta: { total: number; per_page: number } }

/**
 * Sends a query repeatedly while the page is visible. Respects Retry-After.
 *
 * @param everyMs returns the time until the next request; undefined for none
 */
export function pollQuery<T>(
  query: ReturnType<typeof defineQuery<T>>,
  everyMs: (answer: T | undefined) => number | undefined,
) {
  return {
    ...query,
    staleTime: ({ state }: PolledQuery<T>) => everyMs(state.data) ?? Number.POSITIVE_INFINITY,
    refetchInterval({ state }: PolledQuery<T>) {
      const ms = everyMs(state.data)
      return ms !== undefined && Math.max(ms, (state.error?.retryAfter ?? 0) * 1_000)
    },
    refetchOnMount: 'always' as const,
    refetchOnWindowFocus: ({ state }: PolledQuery<T>) => state.error?.retryAfter === undefined,
  }
}

type PolledQuery<T> = { state: { data: T | undefined; error: ApiError | null } }

/** Forgets all answers. Those on the screen stay there, but no other view shows them. */
export function forgetAnswers(): void {
  const all = { predicate: isBelow('/v1/') }
  queryClient.removeQueries({ ...all, type: 'inactive' })
  void queryClient.invalidateQueries({ ...all, refetchType: 'none' })
}

/**
 * Starts a new set of answers for another account: all later queries are sent again, including those of visible
 * views.
 */
export function separateAnswers(): void {
  turn++
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'observerRemoved' || query.isActive() || !query.state.isInvalidated) return
  queryClient.getQueryCache().remove(query)
})

/** Refetches the queries of a path and of paths below it that are on the screen. Call it after a change. */
export function refetchAfterChange(path: `/v1/${string}`): Promise<void> {
  forgetAnswers()
  const shown = { predicate: isBelow(path) }
  // A request that began before the change would answer without it.
  void queryClient.cancelQueries(shown)
  return queryClient.invalidateQueries(shown)
}

function isAnswer([path]: readonly unknown[]) {
  return String(path).startsWith('/v1/')
}

function isBelow(path: string) {
  return ({ queryKey: [key] }: { queryKey: readonly unknown[] }) => String(key).startsWith(path)
}
