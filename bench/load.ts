import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuSince, type Sample, threadTimesOf } from './measure.ts'
import type { Server } from './servers.ts'

/** A request of a load; the requests are repeated in order. One with a JSON body is a POST. */
export type LoadRequest = { path: string; key: string | undefined; body?: string }

export type LoadOptions = {
  requests: readonly LoadRequest[]
  connections: number
  seconds: number
  /** Folder for the wrk script. */
  folder: string
  /** Number of the processor that wrk runs on; any by default. */
  processor?: number
}

/**
 * Sends a load with wrk, and measures its cost to the server.
 *
 * @returns requests per second, latencies in milliseconds, and the server's CPU microseconds per request
 * @throws Error if any response was not a success, because refusals are cheaper than responses
 */
export async function sendLoad(server: Server, loadOptions: LoadOptions): Promise<Sample> {
  const script = writeScript(loadOptions)
  const before = threadTimesOf(server.pid)
  const { processor } = loadOptions
  const text = await run([
    ...(processor === undefined ? [] : ['taskset', '--cpu-list', String(processor)]),
    'wrk',
    '--threads=1',
    `--connections=${loadOptions.connections}`,
    `--duration=${loadOptions.seconds}s`,
    '--latency',
    // A slow response is a result, not a failure.
    '--timeout=60s',
    `--script=${script}`,
    server.url,
  ])
  const cpu = cpuSince(before, server.pid)
  if (/Non-2xx|Socket errors/.test(text))
    throw new Error(`${server.name} did not answer all requests:\n${text}`)
  const requests = numberIn(text, /(\d+) requests in/)
  return {
    rps: numberIn(text, /Requests\/sec:\s+([\d.]+)/),
    p50: milliseconds(text, '50%'),
    p99: milliseconds(text, '99%'),
    cpu: cpu / requests,
  }
}

/** Throws an error that explains how to install wrk, if it is missing. */
export function assertWrk(): void {
  if (Bun.which('wrk') !== null) return
  throw new Error(
    'The bench sends its load with wrk. Get it with: apt install wrk, or brew install wrk.',
  )
}

async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const [text, faults] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`wrk failed:\n${text}${faults}`)
  return text
}

/** Writes the requests as a wrk script. They are formatted once, so that sending them costs the client little. */
function writeScript({ requests, folder }: LoadOptions): string {
  const list = join(folder, 'requests.txt')
  const lines = requests.map(({ path, key = '', body = '' }) => `${path} ${key} ${body}\n`)
  writeFileSync(list, lines.join(''))
  const script = join(folder, 'requests.lua')
  writeFileSync(script, LUA.replace('REQUESTS', JSON.stringify(list)))
  return script
}

const LUA = `local requests, at = {}, 0
function init(args)
  for line in io.lines(REQUESTS) do
    local path, key, body = line:match('^(%S+) (%S*) (.*)$')
    local headers = { Host = '127.0.0.1' }
    if key ~= '' then headers['X-API-Key'] = key end
    if body == '' then
      requests[#requests + 1] = wrk.format('GET', path, headers)
    else
      headers['Content-Type'] = 'application/json'
      requests[#requests + 1] = wrk.format('POST', path, headers, body)
    end
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1])
}

function milliseconds(text: string, percent: string): number {
  const found = new RegExp(`${percent}\\s+([\\d.]+)(us|ms|s)\\b`).exec(text)
  const factor = { us: 0.001, ms: 1, s: 1000 }[found?.[2] ?? 'ms'] ?? 1
  return Number(found?.[1]) * factor
}
