import { readConfig } from '#config.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { weightedEditDistance } from '#rules/search/spelling.ts'
import { createBareLookup } from './bulk-bare.ts'
import { benchFiles } from './bulk-files.ts'
import {
  chunk,
  createNameSampler,
  idsRequest,
  NAME_SPELLINGS,
  namesRequest,
  pricesRequest,
} from './bulk-requests.ts'
import type { BenchData } from './data.ts'
import { requestUntil } from './logins.ts'
import { interleave, median, middle, type Rounds, ratio, type Sample } from './measure.ts'
import { requireServer } from './prices.ts'
import { startServer, withServers } from './servers.ts'
import { formatShort, type Row, times } from './table.ts'

/** Measures many cards in one request: prices, ids and names in the process, names beside other requests, and files. */
export async function benchBulk(data: BenchData): Promise<Row[]> {
  const names = createNameSampler(data)
  return [
    ...(await inProcess(data, names)),
    ...(await besideOthers(data, names)),
    ...(await benchFiles(data)),
  ]
}

type Names = ReturnType<typeof createNameSampler>

/** A kind of request, with the batches that every subject gets. */
type Kind = {
  figure: string
  /** Creates the request of a batch; a body can only be read once. */
  request: (batch: number) => Request
  batches: number
  /** Runs the batch without HTTP, if the store has one query for it. */
  store?: (batch: number) => unknown
  /** Compares a sample of the batch with all names, one after another. */
  scan?: (batch: number) => Sample
  /** Limit in milliseconds, or as a multiple of the time of the bare statements. */
  target: { ms: number } | { toBare: number }
}

async function inProcess(data: BenchData, names: Names): Promise<Row[]> {
  const deps = await openDeps(
    readConfig({ DATA_DIR: data.dataDir, IDENTIFY_WORKERS: '0', LOG_LEVEL: 'error' }),
  )
  const { app, close } = createApp(deps)
  const bare = createBareLookup(data)
  const handle = (request: Request) => app.handle(request)
  try {
    const rows: Row[] = []
    let longest = 0
    for (const kind of kindsOf(data, names, deps)) {
      const { shown, heldMs } = await measureKind(kind, handle, bare)
      rows.push(...shown)
      if (kind.scan !== undefined) longest = Math.max(longest, heldMs)
    }
    const idleMs = (await longestBlock(() => Bun.sleep(IDLE_MS))).longest
    rows.push({
      figure: `the longest turn of the event loop while ${formatShort(ITEMS)} names are resolved`,
      ours: `${formatShort(longest)} ms`,
      limit: `${formatShort(idleMs)} ms idle`,
      target: '20 ms',
      met: longest <= 20,
    })
    return rows
  } finally {
    bare.close()
    await close()
    await closeDeps(deps)
  }
}

function kindsOf(data: BenchData, names: Names, { catalog }: Deps): Kind[] {
  const key = (batch: number) => data.keys[batch % data.keys.length] ?? ''
  const priced = chunk([...new Set(data.cardIds)], 500)
  const resolved = chunk([...new Set(data.cardIds)], ITEMS)
  const of = <T>(batches: readonly T[], batch: number): T => {
    const found = batches[batch % batches.length]
    if (found === undefined) throw new Error('the catalog is too small for a batch')
    return found
  }
  const namesOf = (spelling: keyof typeof NAME_SPELLINGS, target: Kind['target']): Kind => {
    const batches = Array.from({ length: NAME_BATCHES }, (_, seed) =>
      names.draw(ITEMS, seed, NAME_SPELLINGS[spelling]),
    )
    return {
      figure: `resolve ${formatShort(ITEMS)} ${spelling} names`,
      request: (batch) => namesRequest(of(batches, batch), key(batch)),
      batches: NAME_BATCHES,
      scan: (batch) => scanFor(of(batches, batch).slice(0, SCANNED), names.bare),
      target,
    }
  }
  return [
    {
      figure: 'prices of 500 cards',
      request: (batch) => pricesRequest(of(priced, batch), key(batch)),
      batches: priced.length,
      store: (batch) => catalog.prices.listSimple(of(priced, batch)),
      target: ROWS_AND_JSON,
    },
    {
      figure: `resolve ${formatShort(ITEMS)} ids`,
      request: (batch) => idsRequest(of(resolved, batch), key(batch)),
      batches: resolved.length,
      target: ROWS_AND_JSON,
    },
    namesOf('exact', ROWS_AND_JSON),
    namesOf('misspelt', { ms: 400 }),
    namesOf('substring', { ms: 400 }),
  ]
}

/** Measures in turn: our endpoint, the bare statements, the store, and a scan of all names where there is one. */
async function measureKind(
  { figure, request, batches, store, scan, target }: Kind,
  handle: (request: Request) => Promise<Response>,
  bare: ReturnType<typeof createBareLookup>,
): Promise<{ shown: Row[]; heldMs: number }> {
  const answers: (() => string)[] = []
  for (let batch = 0; batch < batches; batch++) {
    answers.push(bare.of(await dataIn(handle(request(batch)))))
  }
  const turns: number[] = []
  const rounds = await interleave(ROUNDS, {
    ours: () =>
      timed(batches, async (batch) => {
        await (await handle(request(batch))).arrayBuffer()
      }),
    bare: () => timed(batches, (batch) => answers[batch]?.()),
    ...(store === undefined ? {} : { store: () => timed(batches, store) }),
    ...(scan === undefined ? {} : { scan: () => scan(turns.length) }),
    held: async () => {
      const { longest } = await longestBlock(async () => {
        for (let batch = 0; batch < batches; batch++) {
          await (await handle(request(batch))).arrayBuffer()
        }
      })
      turns.push(longest)
      return { longest }
    },
  })
  const ms = middle(rounds, 'ours', 'ms')
  const toBare = ratio(rounds, 'ms', 'ours', 'bare')
  const row: Row = {
    figure: `${figure}, in process`,
    ours: formatTimes(rounds, 'ours'),
    limit: `the same rows by primary key, and their JSON: ${formatTimes(rounds, 'bare')}`,
    toLimit: times(toBare),
    ...('ms' in target
      ? { target: `${target.ms} ms`, met: ms <= target.ms }
      : { target: `≤ ${target.toBare}x the rows and JSON`, met: toBare <= target.toBare }),
  }
  if (scan !== undefined) {
    row.peer = `a scan of all names: ${formatShort(middle(rounds, 'scan', 'ms') / 1000)} s`
    row.toPeer = `${times(1 / ratio(rounds, 'ms', 'ours', 'scan'))} faster`
  }
  const shown = [row]
  if (store !== undefined) {
    shown.push({
      figure: `${figure}, in the store`,
      ours: formatTimes(rounds, 'store'),
      toLimit: times(ratio(rounds, 'ms', 'store', 'bare')),
    })
  }
  return { shown, heldMs: Math.max(...turns) }
}

function formatTimes(rounds: Rounds, subject: string): string {
  return `${formatShort(middle(rounds, subject, 'ms'))} ms, ${formatShort(middle(rounds, subject, 'cpu'))} ms CPU`
}

/** Calls a function for each batch, and returns the medians of its time and of its CPU time, in milliseconds. */
async function timed(batches: number, call: (batch: number) => unknown): Promise<Sample> {
  const took: number[] = []
  const used: number[] = []
  for (let batch = 0; batch < batches; batch++) {
    const before = process.cpuUsage()
    const started = performance.now()
    await call(batch)
    took.push(performance.now() - started)
    const { user, system } = process.cpuUsage(before)
    used.push((user + system) / 1000)
  }
  return { ms: median(took), cpu: median(used) }
}

/** Returns the longest time in milliseconds for which a function blocks everything else in this process. */
async function longestBlock(run: () => Promise<unknown>): Promise<{ longest: number }> {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    for (let last = performance.now(); !isOver; ) {
      await new Promise(setImmediate)
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  await run()
  isOver = true
  await watching
  return { longest }
}

async function dataIn(response: Promise<Response>): Promise<unknown> {
  const { data }: { data: unknown } = JSON.parse(await (await response).text())
  return data
}

/** Measures how long it takes to compare each name with all names until one matches. */
function scanFor(sample: readonly string[], all: readonly string[]): Sample {
  const started = performance.now()
  for (const name of sample.map(normalizeName)) {
    if (all.includes(name) || all.some((one) => one.includes(name))) continue
    for (const one of all) {
      if (Math.abs(one.length - name.length) <= 1) weightedEditDistance(name, one, 1)
    }
  }
  return { ms: ((performance.now() - started) * ITEMS) / sample.length }
}

/** Requests prices one after another, while names are resolved all the time. */
async function besideOthers(data: BenchData, names: Names): Promise<Row[]> {
  const { cardIds, keys, dataDir } = data
  return withServers([startServer(dataDir)], async ([server]) => {
    const { url } = requireServer(server)
    const send = (at: number) => {
      const path = `/v1/cards/${cardIds[at % cardIds.length]}/prices`
      return fetch(url + path, { headers: { 'x-api-key': keys[at % keys.length] ?? '' } })
    }
    const resolveAll = async (spelling: keyof typeof NAME_SPELLINGS) => {
      const until = performance.now() + BESIDE_MS
      for (let seed = 0; performance.now() < until; seed++) {
        const some = names.draw(ITEMS, seed % NAME_BATCHES, NAME_SPELLINGS[spelling])
        const { headers, body } = namesRequest(some, keys[seed % keys.length] ?? '')
        const path = `${url}/v1/bulk/resolve/name`
        const answer = await fetch(path, { method: 'POST', headers, body })
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`resolving names returned ${answer.status}`)
      }
    }
    const rounds = await interleave(ROUNDS, {
      idle: () => requestUntil(send, Bun.sleep(BESIDE_MS)),
      exact: () => requestUntil(send, resolveAll('exact')),
      misspelt: () => requestUntil(send, resolveAll('misspelt')),
      substring: () => requestUntil(send, resolveAll('substring')),
    })
    const figures = (subject: string) =>
      ['p50', 'p99', 'longest']
        .map((figure) => `${figure} ${formatShort(middle(rounds, subject, figure))} ms`)
        .join(', ')
    return (['exact', 'misspelt', 'substring'] as const).map((spelling) => ({
      figure: `prices of a card while ${formatShort(ITEMS)} ${spelling} names are resolved continuously`,
      ours: figures(spelling),
      limit: `${figures('idle')} idle`,
      toLimit: times(ratio(rounds, 'p99', spelling, 'idle')),
      target: 'p99 20 ms',
      met: middle(rounds, spelling, 'p99') <= 20,
    }))
  })
}

const ROWS_AND_JSON = { toBare: 1.15 }
const ITEMS = 1_000
const NAME_BATCHES = 6
const ROUNDS = 3
/** Number of names of a batch that are compared with all names. */
const SCANNED = 5
const IDLE_MS = 1_000
const BESIDE_MS = 2_000
