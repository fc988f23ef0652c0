import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#store/db.ts'
import type { BenchData } from './data.ts'
import { type LoadRequest, sendLoad } from './load.ts'
import { interleave, middle, type Rounds, ratio, spread } from './measure.ts'
import { peerFiles } from './peer-files.ts'
import { type Server, startPeer, startRaw, startServer, withServers } from './servers.ts'
import { formatShort, percent, perSecond, type Row, times } from './table.ts'

/** Measures `GET /v1/cards/{id}/prices`, the most frequent request, for cards from the whole catalog. */
export async function benchPrices(data: BenchData): Promise<Row[]> {
  const rounds = await measurePath(data, (id) => `/v1/cards/${id}/prices`)
  const toLimit = ratio(rounds, 'rps', 'ours', 'limit')
  const toPeer = ratio(rounds, 'rps', 'ours', 'peer')
  return [
    httpRow('prices of a card', rounds, '≥ 42 % of the limit', toLimit >= 0.42),
    {
      figure: 'prices of a card, compared with the peer',
      ours: figures(rounds, 'ours'),
      peer: figures(rounds, 'peer'),
      toPeer: times(toPeer),
      target: '≥ 2x the peer',
      met: toPeer >= 2,
    },
    bareStatement(data),
  ]
}

/** Measures `GET /v1/cards/{id}`: the card with its set and game. */
export async function benchCard(data: BenchData): Promise<Row[]> {
  const rounds = await measurePath(data, (id) => `/v1/cards/${id}`)
  const toLimit = ratio(rounds, 'rps', 'ours', 'limit')
  return [httpRow('a card', rounds, '≥ 35 % of the limit', toLimit >= 0.35)]
}

/** Creates requests for cards from the whole catalog, with the keys of all accounts. */
export function createRequests(
  { cardIds, keys }: BenchData,
  pathOf: (id: number) => string,
): LoadRequest[] {
  return cardIds.map((id, index) => ({ path: pathOf(id), key: keys[index % keys.length] }))
}

/** Measures in turn: Cardstock, a fixed body of the same size as the limit, and the peer. */
async function measurePath(data: BenchData, pathOf: (id: number) => string): Promise<Rounds> {
  const requests = createRequests(data, pathOf)
  const body = join(data.scratch, 'body.json')
  writeFileSync(body, 'x')
  const peer = peerFiles(data)
  return withServers(
    [startServer(data.dataDir), startPeer(data.catalogFile, peer.words, peer.keys)],
    async ([ours, theirs]) => {
      writeFileSync(body, await sampleBody(ours, requests))
      return withServers([startRaw(body)], ([raw]) => {
        const load = { requests, connections: 32, seconds: SECONDS, folder: data.scratch }
        return interleave(ROUNDS, {
          ours: () => sendLoad(requireServer(ours), load),
          limit: () => sendLoad(requireServer(raw), load),
          peer: () => sendLoad(requireServer(theirs), load),
        })
      })
    },
  )
}

/** Returns a response of typical size. */
export async function sampleBody(
  server: Server | undefined,
  requests: readonly LoadRequest[],
): Promise<string> {
  const bodies = await Promise.all(
    requests.slice(0, 101).map(async ({ path, key = '' }) => {
      const response = await fetch(requireServer(server).url + path, {
        headers: { 'x-api-key': key },
      })
      return response.text()
    }),
  )
  bodies.sort((a, b) => a.length - b.length)
  return bodies[50] ?? ''
}

function httpRow(figure: string, rounds: Rounds, target: string, met: boolean): Row {
  return {
    figure,
    ours: figures(rounds, 'ours'),
    limit: figures(rounds, 'limit'),
    toLimit: `${percent(ratio(rounds, 'rps', 'ours', 'limit'))}, ${times(ratio(rounds, 'cpu', 'ours', 'limit'))} CPU`,
    peer: figures(rounds, 'peer'),
    toPeer: `${times(ratio(rounds, 'rps', 'ours', 'peer'))}, ${percent(ratio(rounds, 'cpu', 'ours', 'peer'))} CPU`,
    target,
    met,
  }
}

/** Returns requests per second and CPU of a subject. */
export function figures(rounds: Rounds, subject: string): string {
  return perSecond({ rps: middle(rounds, subject, 'rps'), cpu: middle(rounds, subject, 'cpu') })
}

/** Measures SQLite alone, for comparison. */
function bareStatement({ catalogFile, cardIds }: BenchData): Row {
  const db = openDatabase(catalogFile, { readonly: true, cacheKib: 65_536 })
  const statement = db.prepare(
    'SELECT set_id, prices, changes FROM price_texts JOIN price_changes USING (card_id) WHERE card_id = ?',
  )
  const { p50 = 0, p99 = 0 } = spread(cardIds.length, (index) => statement.get(cardIds[index]))
  db.close()
  return {
    figure: 'its bare statement',
    ours: `p50 ${formatShort(p50)} µs, p99 ${formatShort(p99)} µs`,
  }
}

/** Returns a requested server. @throws Error if it has not started */
export function requireServer(server: Server | undefined): Server {
  if (server === undefined) throw new Error('a server did not start')
  return server
}

const ROUNDS = 5
const SECONDS = 4
