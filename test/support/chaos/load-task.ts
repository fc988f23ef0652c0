/** Requests of a load, chosen at random by weight. Each list is chosen from at random, too. */
export type LoadRequest = {
  kind: string
  weight: number
  method?: string
  paths: readonly string[]
  headers?: readonly Record<string, string>[]
  bodies?: readonly string[]
  /** Statuses that are right for this request; 200 by default. */
  expected?: readonly number[]
}

/** Work of the process in load-process.ts. */
export type LoadTask = {
  url: string
  /** Requests a second, sent without waiting for earlier responses. */
  rate: number
  seconds: number
  /** Duration of the windows that are reported one by one. */
  windowSeconds: number
  requests: readonly LoadRequest[]
}

/** Figures of one window. Times are milliseconds from sending a request to the end of its response. */
export type LoadWindow = {
  sent: number
  p50: number
  p99: number
  max: number
  /** Number of responses by status; 0 stands for a connection that failed. */
  statuses: Record<string, number>
  /** Number of responses with a status that was not expected, by kind and status. */
  unexpected: Record<string, number>
  /** The first unexpected responses, as text. */
  examples: string[]
}

/** The value that `percent` of the others do not exceed; NaN for an empty list. */
export function percentileOf(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const index = Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)
  return Math.round((sorted[index] ?? Number.NaN) * 100) / 100
}
