// A server with accounts and collections, for imports over real connections.
import { Database } from 'bun:sqlite'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '#config.ts'
import { openConfiguredLedger } from '#deps/storage.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { createAccounts, type ServiceAccount } from '../accounts/service-accounts.ts'
import { createTempFolder } from '../closers.ts'
import { closeAfterUse } from '../end-of-tests.ts'
import { createDatabase } from '../ledger/ledgers.ts'
import { HAS_POSTGRES, startPostgres } from '../ledger/postgres-server.ts'
import { sendRaw } from '../raw-request.ts'
import { prepareSample, QUIET, startService } from '../server-process.ts'
import { createTestLog } from '../test-app.ts'
import { waitFor } from '../wait-for.ts'

type Sender = ServiceAccount & { address: string }

/** An account with a collection. */
export type Importer = Sender & { collection: string }

/** Settings of the ledger, by the name of its engine. */
export const LEDGER_SETTINGS: [name: string, create: () => Promise<Record<string, string>>][] = [
  ['SQLite', async () => ({})],
  ...(HAS_POSTGRES
    ? [['PostgreSQL', createDatabaseSettings] as [string, typeof createDatabaseSettings]]
    : []),
]

/** Creates an empty database. Servers with these settings share it. */
export async function createDatabaseSettings(): Promise<Record<string, string>> {
  const postgres = await startPostgres()
  closeAfterUse(postgres.close)
  const LEDGER_URL = await createDatabase(postgres, 'imports')
  return { LEDGER_URL, APP_SECRET: 'i'.repeat(32) }
}

/** Sends a request again while the database is too busy to answer it, as its 503 advises. */
export async function sendUntilAnswered(send: () => Promise<Response>): Promise<Response> {
  let response = await send()
  while (response.status === 503 && response.headers.has('retry-after')) response = await send()
  return response
}

/** Starts a quiet server with the sample, whose clients name their own addresses. */
export async function startImportServer(
  settings: Record<string, string>,
  dataDir = createTempFolder('cardstock-imports-'),
) {
  const env = { ...QUIET, TRUST_PROXY: '1', ...settings }
  await prepareSample(dataDir, env)
  const server = await startService(dataDir, env)
  closeAfterUse(server.kill)

  const request = (path: string, { key, address }: Sender, options: RequestInit = {}) =>
    fetch(`${server.url}${path}`, {
      ...options,
      headers: { 'x-api-key': key, 'x-forwarded-for': address, ...options.headers },
    })

  /** Creates an empty collection of an account, which may have others. */
  async function addCollection(sender: Sender): Promise<Importer> {
    const headers = { 'content-type': 'application/json' }
    const options = { method: 'POST', headers, body: '{"name":"Box"}' }
    const reply = await sendUntilAnswered(() => request('/v1/collections', sender, options))
    const { data } = await reply.json()
    return { ...sender, collection: data.id as string }
  }

  return {
    ...server,
    dataDir,
    request,
    /** Creates accounts in a network of their own, or in one of another importer. */
    async createImporters(count: number, tier: Tier, address: string): Promise<Importer[]> {
      const config = readConfig({ ...env, DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
      const ledger = await openConfiguredLedger(config, createTestLog([]))
      const accounts = await createAccounts(ledger, Array(count).fill({ tier }))
      await ledger.close()
      return Promise.all(accounts.map((account) => addCollection({ ...account, address })))
    },
    addCollection,
    /** Sends a file. */
    send: (importer: Importer, body: string, options: RequestInit = {}) =>
      request(`/v1/collections/${importer.collection}/import`, importer, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body,
        ...options,
      }),
    /** Sends a list on a connection of its own: `fetch` opens at most 256, and others wait in this process. */
    async sendAlone({ key, address, collection }: Importer, list: string): Promise<Response> {
      const head = [
        `POST /v1/collections/${collection}/import HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        'Content-Type: text/plain',
        `Content-Length: ${list.length}`,
        `X-API-Key: ${key}`,
        `X-Forwarded-For: ${address}`,
      ]
      const raw = await sendRaw(Number(new URL(server.url).port), [...head, '', list].join('\r\n'))
      const retryAfter = /^retry-after: (.+)$/im.exec(raw.head)?.[1]
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
      return new Response(raw.body, { status: raw.status, headers })
    },
    /** Counts the bodies that wait on disk: files without a name. */
    countOpenBodies: () =>
      readdirSync(`/proc/${server.pid()}/fd`).filter((name) =>
        readLink(`/proc/${server.pid()}/fd/${name}`).startsWith(join(dataDir, 'uploads')),
      ).length,
    /** Counts the items of an importer's collection. */
    async countItems(importer: Importer): Promise<number> {
      const reply = await request(`/v1/collections/${importer.collection}`, importer)
      const { data } = await reply.json()
      return data.item_count
    },
    /**
     * Kills the server, whose ledger must be in SQLite, once a collection has a number of items. Reads the file itself,
     * because a server that is busy answers late.
     *
     * @returns the number of items that are left
     */
    async killOnce(
      { collection }: Importer,
      isReached: (items: number) => boolean,
    ): Promise<number> {
      using ledger = new Database(join(dataDir, 'ledger.db'), { readonly: true })
      const select = ledger.query<{ items: number }, [string]>(
        'SELECT count(*) AS items FROM list_items WHERE list_id = ?',
      )
      const count = () => select.get(collection)?.items ?? 0
      await waitFor(() => isReached(count()))
      await server.kill()
      return count()
    },
  }
}

export type ImportServer = Awaited<ReturnType<typeof startImportServer>>

/** Returns an empty path for a file that was closed in between. */
function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Returns a table whose rows all name a card, each with a note of its own. */
export function renderTable(rows: number, name = 'row'): string {
  const lines = Array.from({ length: rows }, (_, row) => `2,Cindle,Tidepool Parade,${name} ${row}`)
  return ['Quantity,Name,Set Name,Note', ...lines].join('\n')
}

/** Returns a list below 64 KB whose lines are expensive to read. */
export function renderList(lines: number, name: string): string {
  return Array.from(
    { length: lines },
    (_, line) => `${1 + line} Cindle (${name}) ${line}/49 [wxyz] *F*`,
  ).join('\n')
}
