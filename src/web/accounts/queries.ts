import { useQuery } from '@tanstack/react-query'
import * as texts from '#texts/accounts/account.ts'
import { apiQuery } from '../query-client.ts'

/** Fetches keys, their daily usage, quota, plan and scans. */
export function useUsage() {
  return useQuery(apiQuery('/v1/usage'))
}

/** Fetches plans, scan packs and the billing provider. */
export function useOffers() {
  return useQuery(apiQuery('/v1/plans'))
}

/** Returns a curl command for a first request with a key. */
export function sampleRequest(key: string): string {
  return texts.sampleRequest({ key, origin: location.origin })
}
