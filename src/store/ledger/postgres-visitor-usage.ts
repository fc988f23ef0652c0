import { setTimeout as sleep } from 'node:timers/promises'
import { listUsageKeys, startVisitorDay, type VisitorDay } from '#rules/accounts/visitor-day.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { VisitorScope, VisitorUsageStore } from '../visitor-usage.ts'
import type { LedgerEngine } from './engine/operation.ts'

/**
 * Opens the counts that all servers on a database share.
 *
 * A change is computed here, and stored by one statement if the day still has the version that was read; else
 * it is computed again. A server changes the counts one after another, and those that wait are stored
 * together. So each server has one statement under way, however many visitors there are, and one that is
 * refused costs no write.
 *
 * @param waitMs longest wait for a result, in milliseconds
 */
export function openSharedVisitorUsage(
  engine: LedgerEngine,
  { waitMs = WAIT_MS }: { waitMs?: number } = {},
): VisitorUsageStore {
  const { query } = engine
  const read = engine.prepare<[ReadParameters], StoredDay>(READ)
  const write = engine.prepare<[WriteParameters], Pick<StoredDay, 'version'>>(WRITE)
  const forgetCards = engine.prepare<[number, number]>(
    `DELETE FROM visitor_cards WHERE (day, client, version) IN
       (SELECT day, client, version FROM visitor_cards WHERE day < ? LIMIT ?)`,
  )
  const forgetNetworks = engine.prepare<[number, number]>(
    `DELETE FROM visitor_networks WHERE (day, network) IN
       (SELECT day, network FROM visitor_networks WHERE day < ? LIMIT ?)`,
  )
  const forgetDays = engine.prepare<[number, number]>(
    'DELETE FROM visitor_days WHERE day IN (SELECT day FROM visitor_days WHERE day < ? LIMIT ?)',
  )
  const waiting = new Set<Turn>()
  let isServing = false

  async function serveAll(): Promise<void> {
    isServing = true
    while (waiting.size > 0) await serveNext()
    isServing = false
  }

  /** Serves the turns of one day that wait. */
  async function serveNext(): Promise<void> {
    const [first] = waiting
    const ofDay = waiting.values().filter(({ day }) => day === first?.day)
    const turns = [...ofDay.take(TURNS_MAX)]
    for (const turn of turns) waiting.delete(turn)
    try {
      await serve(first?.day ?? 0, turns)
    } catch (error) {
      // The next would wait as long, for the same answer.
      for (const turn of [...turns, ...waiting]) turn.reject(error)
      waiting.clear()
    }
  }

  /** Changes the counts of a day by all turns or none. */
  async function serve(day: number, turns: readonly Turn[]): Promise<void> {
    const scopes = turns.map(({ scope }) => scope)
    const readers = scopes.filter(({ cards }) => cards.length > 0)
    const asked = {
      day,
      networks: JSON.stringify(scopes.flatMap(({ client }) => listUsageKeys(client))),
      clients: JSON.stringify(readers.map(({ client: [{ key }] }) => key)),
      cards: JSON.stringify(readers.flatMap(({ cards }) => cards)),
    }
    for (const deadline = performance.now() + waitMs; performance.now() < deadline; ) {
      const stored = await query(read.get(asked))
      const counts = countsOf(stored)
      const answers = turns.map((turn) => turn.change(counts))
      if (await store(day, stored, counts)) {
        for (const answer of answers) answer()
        return
      }
      // Servers that met once must not meet again at once.
      await sleep(Math.random() * PAUSE_MS)
    }
    throw unavailable()
  }

  /** Stores changed counts; false if other servers have changed them since they were read. */
  async function store(
    day: number,
    stored: StoredDay | undefined,
    counts: VisitorDay,
  ): Promise<boolean> {
    const before = countsOf(stored)
    const networks = [...counts.networks]
      .filter(([network, usage]) => !Bun.deepEquals(usage, before.networks.get(network)))
      .map(([network, usage]) => ({ network, ...usage }))
    const cards = [...counts.seen]
      .map(([client, ids]) => ({
        client,
        ids: [...ids.difference(before.seen.get(client) ?? NONE)],
      }))
      .filter(({ ids }) => ids.length > 0)
    if (networks.length === 0 && cards.length === 0) return true
    const { common, reserved, networkCount, seenCount } = counts
    const written = await query(
      write.get({
        ...{ day, version: stored?.version ?? 0 },
        ...{ common, reserved, networkCount, seenCount },
        ...{ networks: JSON.stringify(networks), cards: JSON.stringify(cards) },
      }),
    )
    return written !== undefined
  }

  return {
    update(day, scope, change) {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof change>>()
      const turn: Turn = {
        ...{ day, scope, reject },
        change(counts) {
          const result = change(counts)
          return () => resolve(result)
        },
      }
      const timer = setTimeout(() => {
        waiting.delete(turn)
        reject(unavailable())
      }, waitMs)
      waiting.add(turn)
      if (!isServing) void serveAll()
      return promise.finally(() => clearTimeout(timer))
    },
    deleteBefore: async (day, limit) =>
      (await query(forgetCards.run(day, limit))) +
      (await query(forgetNetworks.run(day, limit))) +
      (await query(forgetDays.run(day, limit))),
  }
}

/** A change that waits. */
type Turn = {
  day: number
  scope: VisitorScope
  /** Returns the function that tells the result, once it is stored. */
  change(counts: VisitorDay): () => void
  reject(error: unknown): void
}

/** Changes that are stored together. */
const TURNS_MAX = 100

/** A request that cannot receive its data is refunded, too: its client gets the error within two seconds. */
const WAIT_MS = 900

/** Longest pause before a change is computed again, in milliseconds: some statements. */
const PAUSE_MS = 5

const NONE: ReadonlySet<number> = new Set()

function unavailable(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The server is busy. Try again soon.')
}

function countsOf(stored: StoredDay | undefined): VisitorDay {
  if (stored === undefined) return startVisitorDay()
  const { common, reserved, network_count, seen_count, networks, cards } = stored
  const seen = new Map<string, Set<number>>()
  for (const [client, id] of cards) seen.set(client, (seen.get(client) ?? new Set()).add(id))
  return {
    ...{ common, reserved, networkCount: network_count, seen, seenCount: seen_count },
    networks: new Map(
      networks.map(([network, requests, reserved, cards, records]) => [
        network,
        { requests, reserved, cards, records },
      ]),
    ),
  }
}

/** Lists are JSON. Cards are looked up for each of the clients. */
type ReadParameters = { day: number; networks: string; clients: string; cards: string }

/** A day, and those of its rows that were asked for. */
type StoredDay = {
  version: number
  common: number
  reserved: number
  network_count: number
  seen_count: number
  networks: [network: string, requests: number, reserved: number, cards: number, records: number][]
  cards: [client: string, id: number][]
}

// Subqueries of one statement read at one moment. Arrays let the planner look up each key in the index.
const READ = `SELECT version, common, reserved, network_count, seen_count,
  (SELECT coalesce(json_agg(json_build_array(network, requests, reserved, cards, records)), '[]')
     FROM visitor_networks WHERE day = @day AND network = ANY
       (ARRAY(SELECT json_array_elements_text(@networks::json)))) AS networks,
  (SELECT coalesce(json_agg(json_build_array(client, id)), '[]')
     FROM visitor_cards CROSS JOIN unnest(ids) AS id
    WHERE day = @day AND client = ANY (ARRAY(SELECT json_array_elements_text(@clients::json)))
      AND id = ANY (ARRAY(SELECT json_array_elements_text(@cards::json)::bigint))) AS cards
  FROM visitor_days WHERE day = @day`

type WriteParameters = Omit<VisitorDay, 'networks' | 'seen'> &
  Omit<ReadParameters, 'clients'> & { version: number }

// Version 0 is that of a day without a row. A statement that waits for another server's finds its version
// there, and then writes nothing.
const WRITE = `WITH today AS (
    INSERT INTO visitor_days AS known (day, version, common, reserved, network_count, seen_count)
    VALUES (@day, 1, @common, @reserved, @networkCount, @seenCount)
    ON CONFLICT (day) DO UPDATE SET version = known.version + 1, common = excluded.common,
      reserved = excluded.reserved, network_count = excluded.network_count,
      seen_count = excluded.seen_count
     WHERE known.version = @version
    RETURNING day, version),
  counted AS (
    INSERT INTO visitor_networks (day, network, requests, reserved, cards, records)
    SELECT day, changed.* FROM today, json_to_recordset(@networks::json)
      AS changed (network TEXT, requests BIGINT, reserved BIGINT, cards BIGINT, records BIGINT)
    ON CONFLICT (day, network) DO UPDATE SET requests = excluded.requests,
      reserved = excluded.reserved, cards = excluded.cards, records = excluded.records),
  seen AS (
    INSERT INTO visitor_cards (day, client, version, ids)
    SELECT day, client, version, ids FROM today, json_to_recordset(@cards::json)
      AS fresh (client TEXT, ids BIGINT[]))
  SELECT version FROM today`
