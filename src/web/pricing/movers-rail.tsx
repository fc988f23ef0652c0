import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'wouter'
import * as texts from '#texts/pricing/movers.ts'
import { MoverList } from '../components/mover-row.tsx'
import { lazyView } from '../lazy-view.ts'
import { defineQuery } from '../query-client.ts'
import { inCurrency, useCurrency } from './currency.ts'
import { HowMade } from './how-made.tsx'
import { DIRECTIONS, fetchMovers } from './mover-lists.ts'
import { MOVERS_OF_RAIL, MoversRailSkeleton } from './movers-rail-skeleton.tsx'

/**
 * Shows today’s risers beside the fallers, or those of the week; on the first day, when they are expected. Hidden if
 * there is nothing to list, and if the request fails.
 */
export function MoversRail() {
  const { currency } = useCurrency()
  const result = useQuery(
    defineQuery(['/v1/prices/top-movers', 'rail', currency], (signal) =>
      inCurrency(currency, (choice) => fetchTopMovers(choice, signal)),
    ),
  )
  const { period, lists } = result.data ?? { period: '24h', lists: undefined }
  const isEmpty = lists?.every(({ data }) => data.length === 0) ?? false
  if (result.isError) return null
  if (isEmpty) {
    return (
      <Suspense fallback={null}>
        <FirstMovers />
      </Suspense>
    )
  }
  if (lists === undefined) return <MoversRailSkeleton />
  return (
    <section aria-labelledby="moved">
      <div className="rail-head">
        <h2 id="moved">{period === '7d' ? texts.thisWeeksMovers : texts.todaysMovers}</h2>
        <Link href={`/movers?period=${period}`}>{texts.allMovers}</Link>
      </div>
      <div className="mover-columns">
        {DIRECTIONS.map(([direction, name], at) => (
          <section key={direction} aria-label={name}>
            <h3>{name}</h3>
            <MoverList movers={lists[at]?.data ?? []} />
          </section>
        ))}
      </div>
      <HowMade of={['movers', 'change', 'market-price']} />
    </section>
  )
}

const FirstMovers = lazyView(async () => (await import('./first-movers.tsx')).FirstMovers)

async function fetchTopMovers(choice: { currency?: string }, signal: AbortSignal) {
  const directions = DIRECTIONS.map(([direction]) => direction)
  const today = await fetchMovers(
    directions,
    { period: '24h', limit: MOVERS_OF_RAIL, ...choice },
    signal,
  )
  if (today.some(({ data }) => data.length > 0)) return { period: '24h', lists: today }
  const lists = await fetchMovers(
    directions,
    { period: '7d', limit: MOVERS_OF_RAIL, ...choice },
    signal,
  )
  return { period: '7d', lists }
}
