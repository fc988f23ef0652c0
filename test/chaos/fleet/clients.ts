// Clients that move from server to server of a fleet, and compare responses with earlier ones.
import { pick } from '../../support/random.ts'
import { PRICED } from '../../support/snapshots/fleet.ts'
import { STANDSTILL_MS, type World } from './world.ts'

/** Time in milliseconds after a kill in which HAProxy may lose connections to that server. */
const LOST_MS = 10_000

export type FleetClients = {
  faults: string[]
  /** Responses by status; `lost` are connections to killed or hanging servers. */
  counts: Record<string, number>
  /** Requests the changes since the last call, and compares all prices with those of a server. */
  compareChanges(): Promise<void>
  stop(): Promise<void>
}

/**
 * @param key of an account with a large quota
 * @param pauseMs between two requests of one client
 */
export function startClients(
  world: World,
  { key, random, pauseMs }: { key: string; random: () => number; pauseMs: number },
): FleetClients {
  const faults: string[] = []
  const counts: Record<string, number> = {}
  const tags = new Map<number, string>()
  let isStopped = false
  const count = (kind: string | number) => {
    counts[kind] = (counts[kind] ?? 0) + 1
  }

  /** Sends a request to a server, or through HAProxy; undefined if it may remain unanswered now. */
  async function send(path: string, headers: Record<string, string>) {
    const urls = world.urls()
    const proxies = world.proxyUrl === undefined ? [] : urls.map(() => world.proxyUrl ?? '')
    const url = pick(random, [...urls, ...proxies])
    const response = await fetch(url + path, {
      headers,
      signal: AbortSignal.timeout(STANDSTILL_MS),
    })
      .then(async (found) => ({ found, text: await found.text() }))
      .catch(() => undefined)
    count(response?.found.status ?? 'lost')
    if (response === undefined) return undefined
    const { status } = response.found
    const isLost = url === world.proxyUrl && world.sinceDisturbance() < LOST_MS
    if (status === 502 && isLost) return undefined
    if (![200, 304, 503].includes(status)) faults.push(`${status} of ${url}${path}`)
    return status === 503 ? undefined : { ...response, url }
  }

  async function watchVersions(): Promise<void> {
    let known = 0
    let tag = ''
    while (!isStopped) {
      const conditions: Record<string, string> = random() < 0.5 ? {} : { 'if-none-match': tag }
      const response = await send('/v1/games', conditions)
      await Bun.sleep(response === undefined ? RETRY_MS : pauseMs)
      if (response === undefined) continue
      tag = response.found.headers.get('etag') ?? ''
      const version = Number(/^"v(\d+)-/.exec(tag)?.[1])
      if (!(version >= known)) {
        faults.push(`version ${version} of ${response.url} after ${known}`)
      } else known = version
      const same = tags.get(version) ?? tag
      tags.set(version, same)
      if (same !== tag) faults.push(`version ${version} has the tags ${same} and ${tag}`)
    }
  }

  const prices = new Map<string, number | null>()
  let changedAt = ''
  const list = `/v1/sets/${PRICED.set}/prices?per_page=100`

  /** Applies the changes since the last call. @returns false without a response */
  async function follow(): Promise<boolean> {
    const meta = await send('/v1/meta', {})
    const since = changedAt === '' ? '' : `&updated_after=${changedAt}`
    const changes = meta && (await send(list + since, { authorization: `Bearer ${key}` }))
    if (meta === undefined || changes === undefined) return false
    for (const [printing, price] of listPrices(changes.text)) prices.set(printing, price)
    changedAt = JSON.parse(meta.text).data.changed_at
    return true
  }

  const working = Array.from({ length: CLIENTS }, watchVersions)
  return {
    faults,
    counts,
    async compareChanges() {
      while (!(await follow())) await Bun.sleep(RETRY_MS)
      const all = await send(list, { authorization: `Bearer ${key}` })
      if (all === undefined) return
      const missed = listPrices(all.text).filter(
        ([printing, price]) => prices.get(printing) !== price,
      )
      if (missed.length > 0)
        faults.push(`prices that \`updated_after\` missed: ${missed.join('; ')}`)
    },
    async stop() {
      isStopped = true
      await Promise.all(working)
    },
  }
}

const CLIENTS = 4

/** Pause after a request without a response, in milliseconds. */
const RETRY_MS = 100

function listPrices(text: string): [printing: string, price: number | null][] {
  type Row = { card_id: number; printing: string; market_price: number | null }
  const { data } = JSON.parse(text) as { data: Row[] }
  return data.map((row) => [`${row.card_id} ${row.printing}`, row.market_price])
}
