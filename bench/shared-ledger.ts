// Compares a request for card prices with the ledger on PostgreSQL and on SQLite, on the same catalog, in turn.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { moveLedger } from '#actions/operations/move-ledger.ts'
import { startPostgres } from '../test/support/ledger/postgres-server.ts'
import type { BenchData } from './data.ts'
import { sendLoad } from './load.ts'
import { interleave, ratio } from './measure.ts'
import { createRequests, figures, requireServer } from './prices.ts'
import { startOnPostgres, startServer, withServers } from './servers.ts'
import { percent, type Row, times } from './table.ts'

/** Measures `GET /v1/cards/{id}/prices` over HTTP, with the keys of all accounts. */
export async function benchSharedLedger(data: BenchData): Promise<Row[]> {
  const postgres = await startPostgres({ settings: ['fsync=on'] })
  // A server with its ledger in a file needs a data folder of its own.
  const dataDir = join(data.scratch, 'shared-ledger')
  try {
    cpSync(data.dataDir, dataDir, { recursive: true })
    const move = { direction: 'to', url: postgres.url, restart: false, report: () => {} } as const
    await moveLedger({ dataDir, appSecret: undefined }, move)
    const secret = readFileSync(join(dataDir, 'app-secret'), 'utf8').trim()
    const settings = { LEDGER_URL: postgres.url, APP_SECRET: secret }
    const servers = [startServer(data.dataDir), startOnPostgres(dataDir, settings)]
    return [await withServers(servers, ([file, database]) => priceRow(data, { file, database }))]
  } finally {
    await postgres.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Servers = Record<'file' | 'database', Parameters<typeof requireServer>[0]>

async function priceRow(data: BenchData, { file, database }: Servers): Promise<Row> {
  const requests = createRequests(data, (id) => `/v1/cards/${id}/prices`)
  const load = { requests, connections: 32, seconds: SECONDS, folder: data.scratch }
  const rounds = await interleave(ROUNDS, {
    database: () => sendLoad(requireServer(database), load),
    file: () => sendLoad(requireServer(file), load),
  })
  const share = ratio(rounds, 'rps', 'database', 'file')
  return {
    figure: 'prices of a card, the ledger on PostgreSQL',
    ours: figures(rounds, 'database'),
    limit: `${figures(rounds, 'file')} on SQLite`,
    toLimit: `${percent(share)}, ${times(ratio(rounds, 'cpu', 'database', 'file'))} CPU`,
    target: 'as fast within the noise (≥ 95 %)',
    met: share >= 0.95,
  }
}

const ROUNDS = 7
const SECONDS = 4
