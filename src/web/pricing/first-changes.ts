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
  const over = period === '24h' ? '' : ` over ${DAYS[period]} days`
  return `Prices since ${nameDay(start, today)}. First ${what}${over} ${nameDay(first, today, 'on ')}.`
}

const MS_PER_DAY = 86_400_000

const DAYS: Readonly<Record<MoverPeriod, number>> = { '24h': 1, '7d': 7, '30d': 30 }

function nameDay(day: number, today: number, before = ''): string {
  const near = NEAR_DAYS[day - today]
  return near ?? before + dayText(new Date(day * MS_PER_DAY).toISOString())
}

const NEAR_DAYS: Readonly<Record<number, string>> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' }
