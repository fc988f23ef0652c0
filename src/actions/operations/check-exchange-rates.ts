import { type CheckResult, ok, warning } from '#rules/operations/doctor-finding.ts'
import { areRatesStale } from '#rules/pricing/rate-schedule.ts'
import { formatDate } from '#rules/primitives/days.ts'

/** Checks that the reference rates are current. @param newest day of the newest ones; undefined without any */
export function checkExchangeRates(
  newest: number | undefined,
  { now, isFetched }: { now: Date; isFetched: boolean },
): CheckResult {
  const fix = isFetched
    ? 'Run bun run import-rates: it prints why the file at EXCHANGE_RATES_URL cannot be used.'
    : 'Set EXCHANGE_RATES_URL, or run bun run import-rates with a newer file.'
  if (newest === undefined) {
    if (isFetched) return warning('no rates were read from EXCHANGE_RATES_URL yet', fix)
    return ok('none: prices are shown in the currency of their source')
  }
  const date = formatDate(newest)
  if (!areRatesStale(newest, now)) return ok(`the newest are of ${date}`)
  return warning(`the newest are of ${date}, more than four working days ago`, fix)
}
