/** Requests of a load, chosen at random by weight. Within each list, the choice is random, too. */
export type LoadRequest = {
  kind: string
  weight: number
  method?: string
  paths: readonly string[]
  headers?: readonly Record<string, string>[]
  bodies?: readonly string[]
  /** Expected statuses of this request; 200 by default. */
  expected?: readonly number[]
}

/** Work of the process in load-process.ts. */
export type LoadTask = {
  url: string
  /** Requests per second, sent without waiting for earlier responses. */
  rate: number
  seconds: number
  /** Duration of each reported window. */
  windowSeconds: number
  requests: readonly LoadRequest[]
}

/** Figures of one window. Times are milliseconds from sending a request to the end of its response. */
export type LoadWindow = {
  sent: number
  p50: number
  p99: number
  max: number
  /** Number of responses by status; 0 means a failed connection. */
  statuses: Record<string, number>
  /** Number of responses with an unexpected status, by kind and status. */
  unexpected: Record<string, number>
  /** The first unexpected responses, as text. */
  examples: string[]
}

/** Returns the value that `percent` of the values do not exceed; NaN for an empty list. */
export function percentileOf(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const index = Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)
  return Math.round((sorted[index] ?? Number.NaN) * 100) / 100
}
