import { api } from '../../api.ts'
import { useQuery } from '../../hooks/use-query.ts'
import { inCurrency } from '../../pricing/currency.ts'

/** A scan session as a view asks for it. `round` grows with each change, so that all parts are fetched again. */
export type ScanSessionQuery = { id: string; currency: string; round: number }

/** Items on a page of the list. */
const ITEMS = 25

/** Most doubtful items that wait in the page. Further ones follow when these are decided. */
const OPEN_ITEMS = 50

export function useScanSessions(page: number) {
  return useQuery(`scan sessions ${page}`, (signal) =>
    api.get('/v1/scan-sessions', { query: { page, per_page: 24 }, signal }),
  )
}

export function useScanSession({ id, currency, round }: ScanSessionQuery) {
  return useQuery(`scan session ${id} ${currency} ${round}`, (signal) =>
    inCurrency(currency, (query) =>
      api.get('/v1/scan-sessions/{id}', { path: { id }, query, signal }),
    ),
  )
}

/** Fetches the items that are certain, in the order in which they were scanned. */
export function useReviewedItems({ id, currency, round }: ScanSessionQuery, page: number) {
  return useQuery(`items of scan session ${id} ${currency} ${round} ${page}`, (signal) =>
    inCurrency(currency, (choice) =>
      api.get('/v1/scan-sessions/{id}/items', {
        path: { id },
        query: { review: 'done', page, per_page: ITEMS, ...choice },
        signal,
      }),
    ),
  )
}

/** Fetches the first items that need a decision. */
export function useOpenItems({ id, round }: ScanSessionQuery) {
  return useQuery(`open items of scan session ${id} ${round}`, (signal) =>
    api.get('/v1/scan-sessions/{id}/items', {
      path: { id },
      query: { review: 'open', per_page: OPEN_ITEMS },
      signal,
    }),
  )
}

/** Returns the address of a scan session. */
export function scanSessionUrl(id: string): string {
  return `/identify/${id}`
}
