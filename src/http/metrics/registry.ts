import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createDurationHistogram } from './durations.ts'

/** What a figure means, and by what it is told apart. */
export type MetricDefinition = { help: string; type?: 'counter'; label?: string }

/** A figure without a label, or one a value of its label; undefined: there is none now. */
export type MetricValue = number | Record<string, number> | undefined

/** Counts one answered request. */
export type RequestTimer = (status: number, ms: number) => void

/** Counts requests with plain numbers; Prometheus' own types are only filled when it asks. */
export function createMetricsRegistry() {
  const registry = new Registry()
  const counts = new Map<string, { path: string; status: number; requests: number; ms: number }>()
  const durations = createDurationHistogram()
  const groups: { room: string; readings: () => Promise<Registry> }[] = []
  const failures: Record<string, number> = {}
  let ofProcess: Registry | undefined

  /** The requests so far, in types of Prometheus' own. */
  function requestFigures(): Registry {
    const into = new Registry()
    const labels = ['path', 'status']
    const requests = counterOf('cardstock_http_requests_total', REQUESTS_HELP, labels, into)
    const seconds = counterOf('cardstock_http_request_seconds_total', SECONDS_HELP, labels, into)
    for (const { path, status, requests: number, ms } of counts.values()) {
      const at = { path, status: String(status) }
      requests.inc(at, number)
      seconds.inc(at, Math.round(ms * 1000) / 1_000_000)
    }
    return into
  }

  async function readGroups(): Promise<Registry[]> {
    const read: Registry[] = []
    for (const { room, readings } of groups) {
      try {
        read.push(await readings())
      } catch {
        failures[room] = (failures[room] ?? 0) + 1
      }
    }
    const into = new Registry()
    put(into, 'cardstock_metrics_failures_total', FAILURES, { ...failures })
    return [...read, into]
  }

  return {
    /** @returns what counts one answer of this endpoint */
    endpoint(path: string): RequestTimer {
      const byStatus = new Map<number, { requests: number; ms: number }>()
      const time = durations.of(path)
      return (status: number, ms: number): void => {
        let row = byStatus.get(status)
        if (row === undefined) {
          const fresh = { path, status, requests: 0, ms: 0 }
          counts.set(`${path} ${status}`, fresh)
          byStatus.set(status, fresh)
          row = fresh
        }
        row.requests++
        row.ms += ms
        time(ms)
      }
    },
    /** @returns what counts one of something, by the value of a label */
    counter(name: string, help: string, label: string) {
      const counter = counterOf(name, help, [label], registry)
      return (value: string): void => counter.inc({ [label]: value })
    },
    /**
     * @param buckets upper bounds, ascending, in the unit that the name ends in
     * @returns what notes one measurement
     */
    histogram(name: string, help: string, buckets: number[]) {
      const histogram = new Histogram({ name, help, buckets, registers: [registry] })
      return (value: number): void => histogram.observe(value)
    },
    /**
     * Figures that are read together when Prometheus asks. Where reading them throws they are left out,
     * and the failure is counted: the others are wanted most when something is broken.
     *
     * @param room names them in `cardstock_metrics_failures_total`
     */
    registerGroup<Name extends string>(
      room: string,
      figures: Record<Name, MetricDefinition>,
      read: () => Record<Name, MetricValue> | Promise<Record<Name, MetricValue>>,
    ): void {
      failures[room] = 0
      const readings = async () => {
        const into = new Registry()
        const found = new Map<string, MetricValue>(Object.entries(await read()))
        for (const [name, figure] of Object.entries<MetricDefinition>(figures)) {
          put(into, name, figure, found.get(name))
        }
        return into
      }
      groups.push({ room, readings })
    },
    /** How many requests were answered since the start, and how many of them with a 5xx. */
    totals(): { answered: number; failed: number } {
      const tally = { answered: 0, failed: 0 }
      for (const { status, requests } of counts.values()) {
        tally.answered += requests
        if (status >= 500) tally.failed += requests
      }
      return tally
    },
    /** The text that Prometheus reads. */
    async render(): Promise<string> {
      ofProcess ??= processFigures()
      const registries = [requestFigures(), registry, ...(await readGroups()), ofProcess]
      const texts = await Promise.all(registries.map((one) => one.metrics()))
      const all = [durations.text(), ...texts].map((text) => text.trim())
      return `${all.filter((text) => text !== '').join('\n')}\n`
    },
  }
}

export type MetricsRegistry = ReturnType<typeof createMetricsRegistry>

const REQUESTS_HELP = 'Requests by endpoint and status.'
const SECONDS_HELP = 'Time spent on requests by endpoint and status.'

const FAILURES: MetricDefinition = {
  help: 'Figures that could not be read, by where they come from.',
  type: 'counter',
  label: 'room',
}

function counterOf(name: string, help: string, labelNames: string[], into: Registry) {
  return new Counter({ name, help, labelNames, registers: [into] })
}

/** Writes one figure down as it is now. */
function put(
  into: Registry,
  name: string,
  definition: MetricDefinition,
  metricValue: MetricValue,
): void {
  if (metricValue === undefined) return
  const { help, type, label } = definition
  const options = { name, help, labelNames: label === undefined ? [] : [label], registers: [into] }
  const metric = type === 'counter' ? new Counter(options) : new Gauge(options)
  if (typeof metricValue === 'number') {
    metric.inc(metricValue)
    return
  }
  for (const [value, number] of Object.entries(metricValue)) {
    if (label !== undefined) metric.inc({ [label]: value }, number)
  }
}

/** Opened when it is first asked for: from then on a timer looks after the event loop. */
function processFigures(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const { name } of registry.getMetricsAsArray()) {
    if (!OF_PROCESS.has(name)) registry.removeSingleMetric(name)
  }
  return registry
}

/** Of Prometheus' usual figures those that Bun knows; it answers the others with 0 or nonsense. */
const OF_PROCESS: ReadonlySet<string> = new Set([
  'process_cpu_user_seconds_total',
  'process_cpu_system_seconds_total',
  'process_cpu_seconds_total',
  'process_start_time_seconds',
  'process_resident_memory_bytes',
  'process_open_fds',
  'process_max_fds',
  'nodejs_eventloop_lag_max_seconds',
  'nodejs_eventloop_lag_mean_seconds',
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p99_seconds',
])
