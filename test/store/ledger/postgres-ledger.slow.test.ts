// The readiness probe of a ledger on PostgreSQL.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectLedgerDatabase, openPostgresLedger } from '#store/ledger/postgres-ledger.ts'
import { PATIENT_MS } from '../../support/ledger/engines.ts'
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../support/ledger/postgres-server.ts'

describe.skipIf(!HAS_POSTGRES)('a ledger on PostgreSQL', () => {
  let server: PostgresServer
  let folder: string
  const open = async () => {
    const engine = await connectLedgerDatabase({
      url: server.url,
      connections: 2,
      answerMs: PATIENT_MS,
    })
    return { engine, ledger: openPostgresLedger(engine, folder) }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cardstock-probe-'))
    server = await startPostgres()
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('stays ready while its database restarts or fails over, which takes seconds', async () => {
    const { engine, ledger } = await open()
    await ledger.probeWrite()
    // Like a standby before it is promoted.
    await engine.execute('ALTER DATABASE postgres SET default_transaction_read_only = on')
    await server.crash()
    const refused = engine.query(engine.prepare<[]>('DELETE FROM server_reports').run())
    await expect(refused).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await ledger.probeWrite()).toBeUndefined()
    await engine.execute(
      'SET LOCAL transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only',
    )
    await ledger.close()
  })

  test('is not ready if it cannot write to its folder', async () => {
    const { ledger } = await open()
    rmSync(folder, { recursive: true })
    await expect(ledger.probeWrite()).rejects.toThrow('ENOENT')
    await ledger.close()
  })
})
