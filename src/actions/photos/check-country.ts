import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/**
 * @param country of the client, as two capital letters; undefined: nobody tells
 * @throws ServiceError IDENTIFY_REGION_UNAVAILABLE
 */
export function assertCountryAllowed(
  { config }: Pick<Deps, 'config'>,
  country: string | undefined,
): void {
  if (country === undefined || !config.blockedCountries.includes(country)) return
  throw new ServiceError(
    'IDENTIFY_REGION_UNAVAILABLE',
    'Photos are not read in your country. Trying again does not help.',
  )
}
