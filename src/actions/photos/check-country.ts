import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/**
 * @param country of the client, as two capital letters; undefined if unknown
 * @throws ServiceError IDENTIFY_REGION_UNAVAILABLE
 */
export function assertCountryAllowed(
  { config }: Pick<Deps, 'config'>,
  country: string | undefined,
): void {
  if (country === undefined || !config.blockedCountries.includes(country)) return
  throw new ServiceError(
    'IDENTIFY_REGION_UNAVAILABLE',
    'Photo identification is not available in your country.',
  )
}
