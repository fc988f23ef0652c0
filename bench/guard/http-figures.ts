import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LoadRequest, sendLoad } from '../load.ts'
import { cpuSince, threadTimesOf } from '../measure.ts'
import { type Server, startRaw, startServer, whenAtRest } from '../servers.ts'
import type { FigureName, Measurement, Opened } from './figures.ts'
import { copyData, type GuardData } from './guard-data.ts'
import { createLoads, HTTP_FIGURES, type HttpFigure, type HttpLoad } from './requests.ts'
import type { Tree } from './trees.ts'

/** A tree with its data. */
export type Subject = { tree: Tree; data: GuardData }

/**
 * Measures the processor time of a request to a server of each tree, against raw `Bun.serve` with a body of the same
 * size. Each figure has servers of its own, because the code that is compiled for it depends on all earlier requests.
 * Servers and load share one processor: a request from another one costs raw `Bun.serve` half as much again, and
 * whether it comes from there depends on what else the machine does.
 */
export async function openHttpFigures(
  names: readonly FigureName[],
  subjects: readonly Subject[],
  scratch: string,
): Promise<Opened> {
  const sides = subjects.map(({ tree, data }, index) => {
    const folder = join(scratch, `catalog-${index}`)
    copyData(data, 'catalog', folder)
    return { loads: createLoads(data), start: () => startServer(folder, tree.folder) }
  })
  const figures = HTTP_FIGURES.filter((figure) => names.includes(figure))
  const servers: Server[] = []
  const close = async () => void (await Promise.all(servers.map((server) => server.close())))
  const open = async (start: Promise<Server>) => {
    const server = await start
    servers.push(server)
    return server
  }
  try {
    const ours = await Promise.all(
      figures.map((figure) =>
        Promise.all(
          sides.map(async ({ loads, start }) => ({
            load: loads[figure],
            server: await open(start()),
          })),
        ),
      ),
    )
    for (const server of servers) await whenAtRest(server)
    const measurements: Measurement[] = []
    for (const [index, figure] of figures.entries()) {
      const folder = join(scratch, figure)
      mkdirSync(folder, { recursive: true })
      measurements.push(await openFigure(figure, ours[index] ?? [], { folder, open }))
    }
    return { measurements, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts the limit of a figure, and sends the first requests, which are compiled and fill caches. */
async function openFigure(
  figure: HttpFigure,
  sides: readonly { load: HttpLoad; server: Server }[],
  { folder, open }: { folder: string; open: (start: Promise<Server>) => Promise<Server> },
): Promise<Measurement> {
  const [first] = sides
  if (first === undefined) throw new Error('there is no tree to measure')
  const body = join(folder, 'body')
  writeFileSync(body, await typicalBody(first.server, first.load))
  const raw = await open(startRaw(body))
  const measure = (server: Server, load: HttpLoad) => async () => ({
    [figure]:
      load.sequential === undefined
        ? await sendMany(server, load.requests, folder)
        : await sendInTurn(server, load.requests.slice(0, load.sequential)),
  })
  const limit = async () => ({ [figure]: await sendMany(raw, first.load.requests, folder) })
  const trees = sides.map(({ server, load }) => measure(server, load))
  for (const server of [raw, ...sides.map((side) => side.server)]) pin(server)
  for (const warmUp of [limit, ...trees, ...trees]) await warmUp()
  return { figures: [figure], limit, trees, rounds: 5 }
}

/** Sends as many requests as the server can handle in a second. Returns the processor time of one in microseconds. */
async function sendMany(server: Server, requests: readonly LoadRequest[], folder: string) {
  const load = { requests, connections: CONNECTIONS, seconds: 1, folder, processor: PROCESSOR }
  const { cpu = Number.NaN } = await sendLoad(server, load)
  return cpu
}

/** Sends each request after the response to the one before. Returns the processor time of one in microseconds. */
async function sendInTurn(server: Server, requests: readonly LoadRequest[]): Promise<number> {
  const before = threadTimesOf(server.pid)
  for (const request of requests) await send(server, request)
  return cpuSince(before, server.pid) / requests.length
}

/** @throws Error if the response is not a success */
async function send({ url }: Server, { path, key = '', body }: LoadRequest): Promise<string> {
  const method = body === undefined ? 'GET' : 'POST'
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, ...(body && { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`)
  return text
}

/** Returns the body of median size of some responses. */
async function typicalBody(server: Server, { requests }: HttpLoad): Promise<string> {
  const bodies: string[] = []
  for (const request of requests.slice(0, SAMPLED)) bodies.push(await send(server, request))
  bodies.sort((a, b) => a.length - b.length)
  return bodies[Math.floor(bodies.length / 2)] ?? ''
}

/** Lets all threads of a server run on one processor only. */
function pin({ pid }: Server): void {
  const command = ['taskset', '--all-tasks', '--cpu-list', '--pid', String(PROCESSOR), String(pid)]
  const { success, stderr } = Bun.spawnSync(command)
  if (!success) throw new Error(`${command.join(' ')} failed:\n${stderr}`)
}

/** The last of the processors that this process may use. */
const PROCESSOR = Number(
  /^Cpus_allowed_list:.*?(\d+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1],
)

const SAMPLED = 15
const CONNECTIONS = 64
