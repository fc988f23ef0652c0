import * as texts from '#texts/pricing/first-changes.ts'
import { dayText } from '../format.ts'
import type { MoverPeriod } from './mover-lists.ts'

/**
 * Says when the first changes of a period are expected: "Prices since today. First movers tomorrow." Undefined without
 * prices, and if they are old enough.
 *
 * @param since day of the first price, `YYYY-MM-DD`
 */
export function firstChangesText(
  what: 'movers' | 'changes',
  since: string | null | undefined,
  { period, now = Date.now() }: { period: MoverPeriod; now?: number },
): string | undefined {
  if (since == null) return undefined
  const start = Date.parse(since) / MS_PER_DAY
  const today = Math.floor(now / MS_PER_DAY)
  const first = start + DAYS[period]
  if (first < today) return undefined
  const text = what === 'movers' ? texts.firstMovers : texts.firstChanges
  return text({
    since: nearDay(start, today) ?? dayOf(start),
    days: DAYS[period],
    when: nearDay(first, today) ?? texts.onDay(dayOf(first)),
  })
}

const MS_PER_DAY = 86_400_000

const DAYS: Readonly<Record<MoverPeriod, number>> = { '24h': 1, '7d': 7, '30d': 30 }

function dayOf(day: number): string {
  return dayText(new Date(day * MS_PER_DAY).toISOString())
}

function nearDay(day: number, today: number): string | undefined {
  return NEAR_DAYS[day - today]
}

const NEAR_DAYS: Readonly<Record<number, string>> = {
  [-1]: texts.yesterday,
  0: texts.today,
  1: texts.tomorrow,
}
