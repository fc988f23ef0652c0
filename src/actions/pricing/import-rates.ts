import type { Config } from '#config.ts'
import type { CatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { fetchRateFile } from '#outbound/pricing/rate-file-client.ts'
import { COMPARED_DAYS, findImplausibleRate, mergeRates } from '#rules/pricing/merge-rates.ts'
import { parseRateFile, rateFileError } from '#rules/pricing/parse-rate-file.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { isZip, unzipOnlyFile } from './unzip.ts'

/** Result of an import of reference rates. */
export type RatesReport = {
  /** Days in the file. */
  days: number
  /** New or changed days. */
  changed: number
  first_day: string
  last_day: string
  /** Number of currencies on the last day, without the euro. */
  currencies: number
}

/** A file with all days since 1999 has 9 MB. */
const RATE_FILE_BYTES_MAX = 64 * 1024 * 1024

/**
 * Imports a file of reference rates, zipped or not. Stored days that the file does not have stay.
 *
 * @param force accepts rates that jump, or that contradict stored ones
 * @throws ServiceError VALIDATION_ERROR if anything in the file is wrong; then nothing is imported
 */
export async function importRates(
  { catalogWriter, now }: Pick<CatalogWriterDeps, 'catalogWriter' | 'now'>,
  bytes: Uint8Array,
  { force = false }: { force?: boolean } = {},
): Promise<RatesReport> {
  const { sources } = catalogWriter
  const fresh = parseRateFile(decode(bytes))
  const [first, last] = [fresh[0], fresh.at(-1)]
  if (first === undefined || last === undefined) throw rateFileError('it has no rates')
  const stored = sources.listRates(first.day - COMPARED_DAYS, last.day + COMPARED_DAYS)
  if (last.day > dayOf(now())) throw rateFileError(`${formatDate(last.day)} is in the future`)
  const problem = force ? undefined : findImplausibleRate(stored, fresh)
  if (problem !== undefined) throw rateFileError(problem)
  await catalogWriter.loadAlertRules()
  const changed = sources.putRates(mergeRates(stored, fresh), now())
  return {
    days: fresh.length,
    changed,
    first_day: formatDate(first.day),
    last_day: formatDate(last.day),
    currencies: Object.keys(last.perEuro).length,
  }
}

/**
 * Fetches the file at EXCHANGE_RATES_URL, or that of the European Central Bank if the settings turn it on.
 *
 * @throws ServiceError UNAVAILABLE if it cannot be fetched, or VALIDATION_ERROR if the setting is empty
 */
export function fetchConfiguredRates({
  exchangeRatesUrl,
  publicUrl,
}: Pick<Config, 'exchangeRatesUrl' | 'publicUrl'>): Promise<Uint8Array> {
  if (exchangeRatesUrl === undefined) {
    const message =
      'No exchange rates are set. Specify a file, set EXCHANGE_RATES_URL, or turn them on in the settings.'
    throw new ServiceError('VALIDATION_ERROR', message)
  }
  return fetchRateFile({
    url: exchangeRatesUrl,
    userAgent: `Cardstock/${packageJson.version} (+${publicUrl})`,
    bytesMax: RATE_FILE_BYTES_MAX,
  })
}

function decode(bytes: Uint8Array): string {
  const file = isZip(bytes) ? unzipOnlyFile(bytes, RATE_FILE_BYTES_MAX) : bytes
  if (file === undefined) throw rateFileError('the archive is damaged, or has several files')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    throw rateFileError('the file is not text')
  }
}
