// Servers with separate folders, and one PostgreSQL, bucket and mirror.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectLedgerDatabase, openPostgresLedger } from '#store/ledger/postgres-ledger.ts'
import {
  createAccounts,
  type NewServiceAccount,
  type ServiceAccount,
} from '../accounts/service-accounts.ts'
import type { Closers } from '../closers.ts'
import { createDatabase } from '../ledger/ledgers.ts'
import { startPostgres } from '../ledger/postgres-server.ts'
import { runProcess } from '../process.ts'
import { type ServerProcess, startService } from '../server-process.ts'
import { SAMPLE } from '../test-app.ts'
import { startS3 } from './s3-server.ts'

export type Fleet = Awaited<ReturnType<typeof createFleet>>

/**
 * Starts PostgreSQL, a bucket and a mirror, but no server yet.
 *
 * @param closers close what was started, even if the rest fails to start
 */
export async function createFleet(closers: Closers, parent = tmpdir()) {
  const root = mkdtempSync(join(parent, 'cardstock-fleet-'))
  closers.push(() => rmSync(root, { recursive: true, force: true }))
  const postgres = await startPostgres()
  closers.push(postgres.close)
  const s3 = await startS3()
  closers.push(s3.close)
  const LEDGER_URL = await createDatabase(postgres, 'fleet')
  const mirror = join(root, 'mirror')
  cpSync(SAMPLE, mirror, { recursive: true })
  const env = {
    ...s3.env,
    LEDGER_URL,
    APP_SECRET: 'f'.repeat(32),
    SNAPSHOTS_URL: 's3://cards/fleet',
    UPSTREAM_URL: pathToFileURL(mirror).href,
    BULK_FILES: 'off',
    BACKUP_DIR: 'off',
    IDENTIFY_WORKERS: '0',
    INDEX_PICTURES: 'off',
    LOG_LEVEL: 'info',
  }
  const servers: ServerProcess[] = []
  let published = Date.parse('2026-11-16T20:00:00.000Z')

  return {
    s3,
    postgres,
    servers,
    ledgerUrl: LEDGER_URL,
    /** Returns the data folder of a server. */
    folder: (name: string) => join(root, name),
    objects: () => join(s3.path('fleet'), 'catalog'),
    /**
     * Starts a server with a folder of this name, and waits until it is ready.
     *
     * @param program folder of its release; this one by default
     */
    async startServer(
      name: string,
      more: Record<string, string> = {},
      program?: string,
    ): Promise<ServerProcess> {
      const dataDir = join(root, name)
      mkdirSync(dataDir, { recursive: true })
      const server = await startService(dataDir, { ...env, ...more }, program)
      closers.push(server.kill)
      servers.push(server)
      return server
    },
    /** Sets the prices of a card in the mirror; `rename` publishes them. */
    setPrice({ card, file }: typeof PRICED, dollars: number): void {
      edit(join(mirror, file), ({ results }) => {
        for (const row of results) if (row.productId === card) row.marketPrice = dollars
      })
    },
    /** Renames a game in the mirror, and publishes everything again. */
    rename(name: string): void {
      edit(join(mirror, 'tcgplayer/categories'), ({ results }) => {
        if (results[0] !== undefined) results[0].displayName = name
      })
      published += 60_000
      const time = new Date(published).toISOString().replace('.000Z', '+0000')
      writeFileSync(join(mirror, 'last-updated.txt'), time)
    },
    /** Runs a command of `bun run admin` in the first server's folder. */
    admin: (...args: string[]) =>
      runProcess('scripts/admin.ts', { args, env: { ...env, DATA_DIR: join(root, 'a') } }),
    /** Creates an account, even while no server is running. */
    async createAccount(account: NewServiceAccount): Promise<ServiceAccount> {
      const engine = await connectLedgerDatabase({ url: LEDGER_URL, connections: 2 })
      const ledger = openPostgresLedger(engine, root)
      const [created] = await createAccounts(ledger, [account])
      await ledger.close()
      if (created === undefined) throw new Error('no account was created')
      return created
    },
  }
}

/** A card of the sample, and the file with its prices. */
export const PRICED = { card: 900401, set: 90031, file: 'tcgplayer/9003/90031/prices' }

type MirrorFile = { results: Record<string, unknown>[] }

function edit(file: string, change: (content: MirrorFile) => void): void {
  const content: MirrorFile = JSON.parse(readFileSync(file, 'utf8'))
  change(content)
  writeFileSync(file, JSON.stringify(content))
}

/** Reads the version of a server's catalog, and the name of its first game. */
export async function readVersion(url: string, timeoutMs = 30_000) {
  const response = await fetch(`${url}/v1/games`, { signal: AbortSignal.timeout(timeoutMs) })
  const body = (await response.json()) as { data?: { id: number; name: string }[] }
  const [, version] = /^"v(\d+)-/.exec(response.headers.get('etag') ?? '') ?? []
  const name = body.data?.find(({ id }) => id === 9001)?.name
  return {
    status: response.status,
    version: Number(version),
    tag: response.headers.get('etag'),
    name,
  }
}
