import { api } from '../api.ts'
import { useQuery } from '../hooks/use-query.ts'

// What several pages of an account ask.

/** Keys, their use by day, quota, plan and scans, all at once. */
export function useUsage() {
  return useQuery('usage', (signal) => api.get('/v1/usage', { signal }))
}

/** What can be bought, and from whom. */
export function useOffers() {
  return useQuery('plans', (signal) => api.get('/v1/plans', { signal }))
}

/** How a key is tried: a first request for whoever has just made it. */
export function sampleRequest(key: string): string {
  return `curl -H "X-API-Key: ${key}" "${location.origin}/v1/sets?per_page=3"`
}
