import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createDurationHistogram } from './durations.ts'

/** A metric and its current value. Default type: gauge. */
export type Metric = {
  name: string
  help: string
  type?: 'counter'
  label?: string
  /** By label value if there is a label; undefined if currently not available. */
  value: number | Record<string, number> | undefined
}

/** Counts one answered request. */
export type RequestTimer = (status: number, ms: number) => void

/** Metrics of the service. */
export type MetricsRegistry = {
  /** Returns a function that counts one response of an endpoint. */
  endpoint(path: string): RequestTimer
  /** Returns a function that counts one event by the value of a label. */
  counter(name: string, help: string, label: string): (value: string) => void
  /** Returns a function that records one measurement; `buckets` are ascending upper bounds. */
  histogram(name: string, help: string, buckets: number[]): (value: number) => void
  /**
   * Registers metrics that are read together on each scrape. If reading them fails, they are omitted and the failure
   * is counted, because the other metrics are needed most when something is broken.
   *
   * @param group names them in `cardstock_metrics_failures_total`
   */
  registerGroup(group: string, read: () => Metric[] | Promise<Metric[]>): void
  /** Counts the responses since the start, and those with a 5xx status. */
  totals(): { answered: number; failed: number }
  /** Renders all metrics in the Prometheus text format. */
  render(): Promise<string>
}

/** Counts requests with plain numbers, and fills prom-client's metrics only on a scrape. */
export function createMetricsRegistry(): MetricsRegistry {
  const registry = new Registry()
  const counts = new Map<string, { path: string; status: number; requests: number; ms: number }>()
  const durations = createDurationHistogram()
  const groups: { group: string; read: () => Metric[] | Promise<Metric[]> }[] = []
  const failures: Record<string, number> = {}
  let processMetrics: Registry | undefined

  function requestMetrics(): Registry {
    const into = new Registry()
    const labels = ['path', 'status']
    const requests = createCounter('cardstock_http_requests_total', REQUESTS_HELP, labels, into)
    const name = 'cardstock_http_request_seconds_total'
    const seconds = createCounter(name, SECONDS_HELP, labels, into)
    for (const { path, status, requests: number, ms } of counts.values()) {
      const at = { path, status: String(status) }
      requests.inc(at, number)
      seconds.inc(at, Math.round(ms * 1000) / 1_000_000)
    }
    return into
  }

  async function readGroups(): Promise<Registry> {
    const into = new Registry()
    for (const { group, read } of groups) {
      try {
        for (const metric of await read()) put(into, metric)
      } catch {
        failures[group] = (failures[group] ?? 0) + 1
      }
    }
    put(into, { ...FAILURES, value: { ...failures } })
    return into
  }

  return {
    endpoint(path) {
      const byStatus = new Map<number, { requests: number; ms: number }>()
      const time = durations.createRecorder(path)
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
    counter(name, help, label) {
      const counter = createCounter(name, help, [label], registry)
      return (value) => counter.inc({ [label]: value })
    },
    histogram(name, help, buckets) {
      const histogram = new Histogram({ name, help, buckets, registers: [registry] })
      return (value) => histogram.observe(value)
    },
    registerGroup(group, read) {
      failures[group] = 0
      groups.push({ group, read })
    },
    totals() {
      const totals = { answered: 0, failed: 0 }
      for (const { status, requests } of counts.values()) {
        totals.answered += requests
        if (status >= 500) totals.failed += requests
      }
      return totals
    },
    async render() {
      processMetrics ??= collectProcessMetrics()
      const registries = [requestMetrics(), registry, await readGroups(), processMetrics]
      const texts = await Promise.all(registries.map((one) => one.metrics()))
      const all = [durations.render(), ...texts].map((text) => text.trim())
      return `${all.filter((text) => text !== '').join('\n')}\n`
    },
  }
}

const REQUESTS_HELP = 'HTTP requests, by endpoint and status.'
const SECONDS_HELP = 'Total time spent on HTTP requests, in seconds, by endpoint and status.'

const FAILURES = {
  name: 'cardstock_metrics_failures_total',
  help: 'Metrics that could not be read, by group.',
  type: 'counter',
  label: 'room',
} as const

function createCounter(name: string, help: string, labelNames: string[], into: Registry) {
  return new Counter({ name, help, labelNames, registers: [into] })
}

/** Adds the current value of a metric. */
function put(into: Registry, { name, help, type, label, value }: Metric): void {
  if (value === undefined) return
  const options = { name, help, labelNames: label === undefined ? [] : [label], registers: [into] }
  const metric = type === 'counter' ? new Counter(options) : new Gauge(options)
  if (typeof value === 'number') metric.inc(value)
  else if (label !== undefined) {
    for (const [key, number] of Object.entries(value)) metric.inc({ [label]: key }, number)
  }
}

/** Called on the first scrape; from then on, a timer measures the event loop. */
function collectProcessMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const { name } of registry.getMetricsAsArray()) {
    if (!SUPPORTED.has(name)) registry.removeSingleMetric(name)
  }
  return registry
}

/** Default metrics that Bun supports. For the others it reports 0 or wrong values. */
const SUPPORTED: ReadonlySet<string> = new Set([
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
