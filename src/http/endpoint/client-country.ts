import type { Config } from '#config.ts'

/**
 * Reads the country of the client, as the operator's own proxy reports it; a client could claim any.
 *
 * @returns two capital letters; undefined if unknown
 */
export function clientCountry(
  { trustedProxies, countryHeader }: Pick<Config, 'trustedProxies' | 'countryHeader'>,
  { headers }: Request,
): string | undefined {
  if (trustedProxies === 0) return undefined
  return headers.get(countryHeader)?.trim().toUpperCase()
}
