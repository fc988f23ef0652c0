import type { ApiRequest, ApiResponse } from '#client/client.ts'
import * as texts from '#texts/pricing/movers.ts'
import { api } from '../api.ts'

/** Directions of price changes with their labels. */
export const DIRECTIONS = [
  ['up', texts.rising],
  ['down', texts.falling],
] as const

export type Direction = (typeof DIRECTIONS)[number][0]

/** Periods of changes with their labels. */
export const MOVER_PERIODS = [
  ['24h', texts.last24Hours],
  ['7d', texts.last7Days],
  ['30d', texts.last30Days],
] as const

export type MoverPeriod = (typeof MOVER_PERIODS)[number][0]

type MoversQuery = Omit<
  NonNullable<ApiRequest<'GET', '/v1/prices/top-movers'>['query']>,
  'direction'
>

export type MoverAnswer = ApiResponse<'GET', '/v1/prices/top-movers'> & { direction: Direction }

/** Fetches the largest changes in one or both directions, one request each. */
export function fetchMovers(
  directions: readonly Direction[],
  query: MoversQuery,
  signal: AbortSignal,
): Promise<MoverAnswer[]> {
  return Promise.all(
    directions.map(async (direction) => {
      const answer = await api.get('/v1/prices/top-movers', {
        query: { ...query, direction },
        signal,
      })
      return { ...answer, direction }
    }),
  )
}
