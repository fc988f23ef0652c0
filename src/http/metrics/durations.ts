/**
 * How long requests took, by group of endpoints, as a histogram of Prometheus. Counted here rather than
 * by its library, which takes a hundred times as long for each request.
 */
export function createDurationHistogram() {
  const groups = new Map<string, Durations>()

  return {
    /** @returns what notes the milliseconds of one request to this endpoint */
    of(path: string) {
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
    /** The text that Prometheus reads; groups that were not asked for are not in it. */
    text(): string {
      const asked = [...groups].filter(([, { counts }]) => counts.some((count) => count > 0))
      const lines = asked.flatMap(([group, durations]) => linesOf(group, durations))
      return lines.length === 0 ? '' : `${[...HEAD, ...lines].join('\n')}\n`
    },
  }
}

/** How many requests fell between each bound and the one before, and how long all of them took. */
type Durations = { counts: number[]; ms: number }

const NAME = 'cardstock_http_request_duration_seconds'

const HEAD = [
  `# HELP ${NAME} Time from the request to its answer, by group of endpoints.`,
  `# TYPE ${NAME} histogram`,
]

/** The last one is of a photo that waited long to be read. */
const BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

/** `/v1/cards/:id/prices` is of the group `cards`, `POST /v1/keys` of `keys`. */
function groupOf(path: string): string {
  const segments = path.slice(path.indexOf('/') + 1).split('/')
  return (segments[0] === 'v1' ? segments[1] : segments[0]) || 'other'
}

function linesOf(group: string, { counts, ms }: Durations): string[] {
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
