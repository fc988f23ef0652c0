// Numbers in the database that grow with each change, for example of keys. Servers use cached data until the number
// grows.

import pg from 'pg'
import { clientOptions, type PostgresAddress } from './postgres-client.ts'

/** A query for one number per topic. `NOTIFY` on the channel of this name announces that it has grown. */
export type VersionQueries<Topic extends string> = Readonly<Record<Topic, string>>

export type FollowedVersions<Topic extends string> = {
  /** Returns a version that was current within the last second; undefined if the database did not answer. */
  get(topic: Topic): number | undefined
  /** Forgets every version until the database reports them again. Call it after a change by this server. */
  forget(): void
  /** Returns the milliseconds since the database last answered; Infinity if it never has. */
  silentMs(): number
  close(): Promise<void>
}

/**
 * Follows versions over a separate connection. Queries them after each `NOTIFY`, and also twice a second: a message
 * can be lost with its connection, and a connection can be silently dead. So every server learns of a change within a
 * second, and a version that was not confirmed for a second is not used.
 */
export function followVersions<Topic extends string>(
  address: PostgresAddress,
  queries: VersionQueries<Topic>,
): FollowedVersions<Topic> {
  const topics = Object.entries<string>(queries)
  const listen = topics.map(([topic]) => `LISTEN "${topic}"`).join('; ')
  const columns = topics.map(([topic, sql]) => `(${sql}) AS "${topic}"`).join(', ')
  const statement = { name: 'versions', text: `SELECT ${columns}` }
  let versions: Partial<Record<Topic, number>> = {}
  // All times are those of `performance.now()`.
  let confirmedAt = Number.NEGATIVE_INFINITY
  let answeredAt = Number.NEGATIVE_INFINITY
  let forgottenAt = Number.NEGATIVE_INFINITY
  let client: pg.Client | undefined
  let isClosed = false
  let isQueryRequested = false
  let endPause = () => {}

  function queryAgain(): void {
    isQueryRequested = true
    endPause()
  }

  /** Waits until the next query. */
  async function pause(ms: number): Promise<void> {
    if (!isQueryRequested && !isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      endPause = resolve
      await promise
      clearTimeout(timer)
    }
    isQueryRequested = false
  }

  async function followOnce(): Promise<void> {
    const next = new pg.Client({ ...clientOptions(address), keepAlive: true })
    // A lost connection fails the next query.
    next.on('error', queryAgain).on('end', queryAgain).on('notification', queryAgain)
    await next.connect()
    // Not earlier, because ending a client while it connects would leave `connect` pending.
    client = next
    await client.query(listen)
    while (!isClosed) {
      const sentAt = performance.now()
      const { rows } = await client.query<Record<Topic, number>>(statement)
      answeredAt = sentAt
      if (sentAt >= forgottenAt) {
        versions = rows[0] ?? {}
        confirmedAt = sentAt
      }
      await pause(INTERVAL_MS)
    }
  }

  async function follow(): Promise<void> {
    while (!isClosed) {
      // The operations of the ledger report the reason, because they fail, too.
      await followOnce().catch(() => undefined)
      void client?.end().catch(() => undefined)
      isQueryRequested = false
      await pause(RECONNECT_MS)
    }
  }

  const following = follow()
  return {
    get: (topic) => (performance.now() - confirmedAt < CURRENT_MS ? versions[topic] : undefined),
    forget() {
      forgottenAt = performance.now()
      confirmedAt = Number.NEGATIVE_INFINITY
      queryAgain()
    },
    silentMs: () => performance.now() - answeredAt,
    async close() {
      isClosed = true
      endPause()
      void client?.end().catch(() => undefined)
      await following
    },
  }
}

/** Age in milliseconds up to which a version counts as current. */
const CURRENT_MS = 1_000

/** Leaves half a second for the answer, so that a slow answer causes no gap. */
const INTERVAL_MS = 500

const RECONNECT_MS = 200
