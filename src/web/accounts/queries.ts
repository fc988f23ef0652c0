import { api } from '../api.ts'
import { useQuery } from '../hooks/use-query.ts'

/** Fetches keys, their daily usage, quota, plan and scans. */
export function useUsage() {
  return useQuery('usage', (signal) => api.get('/v1/usage', { signal }))
}

/** Fetches plans, scan packs and the billing provider. */
export function useOffers() {
  return useQuery('plans', (signal) => api.get('/v1/plans', { signal }))
}

/** Returns a curl command for a first request with a key. */
export function sampleRequest(key: string): string {
  return `curl -H "X-API-Key: ${key}" "${location.origin}/v1/sets?per_page=3"`
}
