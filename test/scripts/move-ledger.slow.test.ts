// `admin move-ledger` as an operator runs it: real processes, with their own folder and database.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '#store/db.ts'
import { loadAppSecret } from '#store/files/app-secret.ts'
import { shareDataFolder } from '#store/files/data-folder.ts'
import { openPostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import { migratePostgres } from '#store/ledger/postgres-migrations.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { PATIENT_MS } from '../support/ledger/engines.ts'
import { fillLedger } from '../support/ledger/fill-ledger.ts'
import { createDatabase } from '../support/ledger/ledgers.ts'
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../support/ledger/postgres-server.ts'
import { runProcess, startProcess } from '../support/process.ts'

setDefaultTimeout(90_000)

const run = (args: readonly string[], env: Record<string, string>) =>
  runProcess('scripts/admin.ts', { args, env })

/** Runs an action on a separate connection. */
async function withClient<Result>(
  url: string,
  action: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await action(client)
  } finally {
    await client.end()
  }
}

/** Stops the copy of scans within its third batch. */
const HOLD_THIRD_BATCH = `
  CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.id = 12000 THEN PERFORM pg_sleep(600); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER hold BEFORE INSERT ON scan_ledger FOR EACH ROW EXECUTE FUNCTION hold()`

/** Makes a repeated copy fail. */
const REFUSE_FIRST_BATCHES = `
  CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.id <= 10000 THEN RAISE EXCEPTION 'copied again'; END IF;
    RETURN NEW;
  END $$`

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe.skipIf(!HAS_POSTGRES)('admin move-ledger', () => {
  let server: PostgresServer
  let folder: string
  let url: string

  beforeAll(async () => {
    server = await startPostgres()
    url = await createDatabase(server, 'moved')
    folder = mkdtempSync(join(tmpdir(), 'cardstock-move-'))
    prepareFiles(folder)
    loadAppSecret(folder)
    const db = openDatabase(join(folder, 'ledger.db'))
    fillLedger(db, { accounts: 20, entries: 15_000 })
    db.close()
  })
  afterAll(async () => {
    await server?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const settings = (more: Record<string, string> = {}) => ({ DATA_DIR: folder, ...more })
  const shared = () => ({
    ...settings(),
    LEDGER_URL: url,
    APP_SECRET: readFileSync(join(folder, 'app-secret'), 'utf8').trim(),
  })

  test.each([
    [[], 'Give exactly one of --to URL, --from URL.'],
    [
      ['--to', 'postgres://a/b', '--from', 'postgres://a/b'],
      'Give exactly one of --to URL, --from URL.',
    ],
    [
      ['--to', 'mysql://user:hidden@host/b'],
      '--to must be a URL such as postgres://user:password@host/database.',
    ],
  ])('refuses the arguments %p', async (args, words) => {
    const { code, stdout, stderr } = await run(['move-ledger', ...args], settings())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('hidden')
  })

  test('refuses a folder that a server uses', async () => {
    const release = shareDataFolder(folder)
    const { code, stdout, stderr } = await run(['move-ledger', '--to', url], settings())
    release()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('Stop it and try again.')
  })

  test('moves the ledger there, after a kill in the midst of a table, and back', async () => {
    const first = openPostgresEngine({ url, answerMs: PATIENT_MS })
    await migratePostgres(first)
    await first.close()
    await withClient(url, (client) => client.query(HOLD_THIRD_BATCH))
    const killed = startProcess('scripts/admin.ts', {
      args: ['move-ledger', '--to', url],
      env: settings(),
    })
    await withClient(server.url, async (client) => {
      const held = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
      while ((await client.query(held)).rowCount === 0) {
        if (killed.hasEnded()) throw new Error(killed.stderr())
        await Bun.sleep(20)
      }
      await killed.kill()
      await client.query(`SELECT pg_terminate_backend(pid) FROM (${held}) AS holder`)
    })
    await withClient(url, (client) => client.query(REFUSE_FIRST_BATCHES))
    // Servers use neither half of it.
    const early = await run(['account', 'list'], shared())
    expect(early).toMatchObject({ code: 1, stdout: '' })
    expect(early.stderr).toContain('a move is unfinished')

    const moved = await run(['move-ledger', '--to', url], settings())
    expect(moved.stderr).toContain(`with the text in ${folder}/app-secret as APP_SECRET`)
    const lines = linesOf(moved.stdout)
    expect(lines).toContainEqual({
      step: 'copied',
      table: 'scan_ledger',
      rows: 15_000,
      kept: 10_000,
      seconds: expect.any(Number),
    })
    expect(lines).toContainEqual({
      step: 'compared',
      table: 'scan_ledger',
      rows: 15_000,
      sums: expect.objectContaining({ n: '180000' }),
    })
    const rows = lines.filter(({ step }) => step === 'compared')
    expect(lines.at(-1)).toEqual({
      step: 'moved',
      direction: 'to',
      tables: rows.length,
      rows: rows.reduce((sum, one) => sum + one.rows, 0),
      seconds: expect.any(Number),
    })
    expect(moved.code).toBe(0)

    // Without LEDGER_URL, no server starts with an empty ledger by accident.
    const lost = await run(['account', 'list'], settings())
    expect(lost).toMatchObject({ code: 1, stdout: '' })
    expect(lost.stderr).toContain('ledger.db is missing or empty, but the folder is in use')
    const list = await run(['account', 'list'], shared())
    // The deleted account is not listed.
    expect({ code: list.code, accounts: linesOf(list.stdout).length }).toEqual({
      code: 0,
      accounts: 19,
    })

    const back = await run(['move-ledger', '--from', url], settings())
    expect(linesOf(back.stdout).at(-1)).toMatchObject({ step: 'moved', direction: 'from' })
    expect(linesOf((await run(['account', 'list'], settings())).stdout)).toHaveLength(19)
    const outdated = await run(['account', 'list'], shared())
    expect(outdated).toMatchObject({ code: 1, stdout: '' })
    expect(outdated.stderr).toContain('was moved from the database of LEDGER_URL to a file')
  })
})
