/** Request durations by group of endpoints, as a Prometheus histogram. */
export type DurationHistogram = {
  /** Returns a function that records one request to an endpoint. */
  createRecorder(path: string): (ms: number) => void
  /** Renders the groups that had requests, in the Prometheus text format. */
  render(): string
}

/** Uses its own counters, because the histogram of prom-client takes a hundred times as long per request. */
export function createDurationHistogram(): DurationHistogram {
  const groups = new Map<string, Durations>()

  return {
    createRecorder(path) {
      const group = groupOf(path)
      const durations = groups.get(group) ?? {
        counts: new Array<number>(BOUNDS_MS.length + 1).fill(0),
        ms: 0,
      }
      groups.set(group, durations)
      const { counts } = durations
      return (ms: number): void => {
        let bucket = 0
        while (ms > (BOUNDS_MS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
        counts[bucket] = (counts[bucket] ?? 0) + 1
        durations.ms += ms
      }
    },
    render() {
      const used = [...groups].filter(([, { counts }]) => counts.some((count) => count > 0))
      const lines = used.flatMap(([group, durations]) => renderGroup(group, durations))
      return lines.length === 0 ? '' : `${[...HEAD, ...lines].join('\n')}\n`
    },
  }
}

/** Requests per bucket, and their total duration. */
type Durations = { counts: number[]; ms: number }

const NAME = 'cardstock_http_request_duration_seconds'

const HEAD = [
  `# HELP ${NAME} Time from a request to its response, in seconds, by group of endpoints.`,
  `# TYPE ${NAME} histogram`,
]

/** Upper bounds. The last ones are for photos that wait for a worker. */
const BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

/** Returns `cards` for `/v1/cards/:id/prices`, `keys` for `POST /v1/keys`. */
function groupOf(path: string): string {
  const segments = path.slice(path.indexOf('/') + 1).split('/')
  return (segments[0] === 'v1' ? segments[1] : segments[0]) || 'other'
}

function renderGroup(group: string, { counts, ms }: Durations): string[] {
  let total = 0
  const buckets = counts.map((count, index) => {
    total += count
    const bound = BOUNDS_MS[index]
    const upTo = bound === undefined ? '+Inf' : bound / 1000
    return `${NAME}_bucket{group="${group}",le="${upTo}"} ${total}`
  })
  const seconds = Math.round(ms * 1000) / 1_000_000
  return [
    ...buckets,
    `${NAME}_sum{group="${group}"} ${seconds}`,
    `${NAME}_count{group="${group}"} ${total}`,
  ]
}
