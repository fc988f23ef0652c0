import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../query-client.ts'

/** Items on a page of the list. */
const ITEMS = 25

/** Maximum number of doubtful items in the page. Further items follow when these are decided. */
const OPEN_ITEMS = 50

export function useScanSessions(page: number) {
  return useQuery(apiQuery('/v1/scan-sessions', { query: { page, per_page: 24 } }))
}

export function useScanSession(id: string, currency: string) {
  return useQuery(apiQuery('/v1/scan-sessions/{id}', { path: { id }, query: { currency } }))
}

/** Fetches the reviewed items, in the order of their scans. */
export function useReviewedItems(id: string, currency: string, page: number) {
  const query = { review: 'done', page, per_page: ITEMS, currency } as const
  return useQuery(apiQuery('/v1/scan-sessions/{id}/items', { path: { id }, query }))
}

/** Fetches the first items that need a decision. */
export function useOpenItems(id: string) {
  const query = { review: 'open', per_page: OPEN_ITEMS } as const
  return useQuery(apiQuery('/v1/scan-sessions/{id}/items', { path: { id }, query }))
}

/** Returns the address of a scan session. */
export function scanSessionUrl(id: string): string {
  return `/identify/${id}`
}
