import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Counts requests with plain numbers; Prometheus' own types are only filled when it asks. */
export function openMeter() {
  const registry = new Registry()
  const counts = new Map<string, { path: string; status: number; requests: number; ms: number }>()
  const requests = new Counter({
    name: 'cardstock_http_requests_total',
    help: 'Requests by endpoint and status.',
    labelNames: ['path', 'status'],
    registers: [registry],
  })
  const seconds = new Counter({
    name: 'cardstock_http_request_seconds_total',
    help: 'Time spent on requests by endpoint and status.',
    labelNames: ['path', 'status'],
    registers: [registry],
  })

  function fill(): void {
    requests.reset()
    seconds.reset()
    for (const { path, status, requests: number, ms } of counts.values()) {
      const labels = { path, status: String(status) }
      requests.inc(labels, number)
      seconds.inc(labels, Math.round(ms * 1000) / 1_000_000)
    }
  }

  return {
    registry,
    /** @returns what counts one answer of this endpoint */
    endpoint(path: string) {
      const byStatus = new Map<number, { requests: number; ms: number }>()
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
      }
    },
    /** @returns what counts one of something, by the value of a label */
    counter(name: string, help: string, label: string) {
      const counter = new Counter({ name, help, labelNames: [label], registers: [registry] })
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
    /** A figure that is read when Prometheus asks. */
    gauge(name: string, help: string, read: () => number): void {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
    /** The text that Prometheus reads. */
    async text(): Promise<string> {
      fill()
      return registry.metrics()
    },
  }
}

export type RequestMeter = ReturnType<typeof openMeter>
