// Sends a load at a constant rate, and prints the figures of each window as a JSON line. A separate process, so that
// the work of a test does not count as latency.
import { randomFrom } from '../random.ts'
import { type LoadRequest, type LoadTask, type LoadWindow, percentileOf } from './load-task.ts'

const EXAMPLES_MAX = 5
const REQUEST_MS_MAX = 60_000

const task: LoadTask = await Bun.stdin.json()
const random = randomFrom(task.rate * 1_000 + task.seconds)
const weights = task.requests.reduce((sum, { weight }) => sum + weight, 0)
const choose = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]

type OpenWindow = { figures: LoadWindow; latencies: number[] }

let current = openWindow()
const inFlight = new Set<Promise<void>>()
const started = performance.now()
let sent = 0
let closed = 0

while (sent < task.rate * task.seconds) {
  const elapsed = (performance.now() - started) / 1000
  while (sent < elapsed * task.rate && sent < task.rate * task.seconds) {
    sent++
    const request = send(chooseRequest(), current)
    inFlight.add(request)
    void request.finally(() => inFlight.delete(request))
  }
  if (elapsed >= (closed + 1) * task.windowSeconds) closeWindow()
  await Bun.sleep(1)
}
await Promise.all(inFlight)
if (current.figures.sent > 0) closeWindow()

function openWindow(): OpenWindow {
  const counts = { statuses: {}, unexpected: {}, examples: [] }
  return { figures: { sent: 0, p50: 0, p99: 0, max: 0, ...counts }, latencies: [] }
}

/** Prints a window. Requests that are still in flight count in it only as sent. */
function closeWindow(): void {
  const { figures, latencies } = current
  const [p50, p99, max] = [50, 99, 100].map((percent) => percentileOf(latencies, percent))
  process.stdout.write(`${JSON.stringify({ ...figures, p50, p99, max })}\n`)
  closed++
  current = openWindow()
}

function chooseRequest(): LoadRequest {
  let rest = random() * weights
  for (const request of task.requests) {
    rest -= request.weight
    if (rest < 0) return request
  }
  throw new Error('the load has no requests')
}

async function send(request: LoadRequest, { figures, latencies }: OpenWindow): Promise<void> {
  const { kind, method = 'GET', paths, headers = [], bodies = [], expected = [200] } = request
  figures.sent++
  const path = choose(paths)
  const body = choose(bodies)
  const begun = performance.now()
  let status = 0
  let text = ''
  try {
    const response = await fetch(`${task.url}${path}`, {
      method,
      redirect: 'manual',
      headers: choose(headers) ?? {},
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    })
    status = response.status
    text = await response.text()
  } catch (error) {
    text = String(error)
  }
  latencies.push(performance.now() - begun)
  count(figures.statuses, String(status))
  if (expected.includes(status)) return
  count(figures.unexpected, `${kind} ${status}`)
  if (figures.examples.length < EXAMPLES_MAX) {
    figures.examples.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
