// Keys in the log of the real process, at its most detailed level.
import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '#actions/accounts/manage-keys.ts'
import { generateApiKey, hashSecret } from '#rules/accounts/credentials.ts'
import { openDatabase } from '#store/db.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { findFreePort } from '../../support/free-port.ts'
import { startServerProcess } from '../../support/server-process.ts'

const FORMS: readonly ((key: string) => Record<string, string>)[] = [
  (key) => ({ 'x-api-key': key }),
  (key) => ({ authorization: `Bearer ${key}` }),
]

/** Creates a data folder without cards, and two keys: each process caches the keys that it has seen. */
async function createFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-log-'))
  prepareFiles(dataDir)
  const ledger = openLedger(dataDir)
  const now = () => new Date()
  const account = await ledger.accounts.create(
    { email: 'ann@example.com', password_hash: 'none', tier: 'business' },
    { now: now(), address: undefined },
  )
  const make = async (name: string) => {
    const owner = { account_id: account?.id ?? 0, address: undefined }
    return (await createKey({ ledger, now }, { ...owner, name })).key
  }
  const keys = [await make('one'), await make('two')] as const
  ledger.close()
  return { dataDir, keys }
}

/** Removes a table, so that every use of it fails with an unexpected error. */
function breakTable(path: string, table: string): void {
  const db = openDatabase(path)
  db.pragma('foreign_keys = OFF')
  db.exec(`DROP TABLE ${table}`)
  db.close()
}

test('no line of the log contains a key, whatever fails', async () => {
  const { dataDir, keys } = await createFolder()
  const [known, late] = keys
  const unknown = generateApiKey((bytes) => randomBytes(bytes))
  const port = await findFreePort()
  const server = startServerProcess({ port, dataDir, env: { LOG_LEVEL: 'debug' } })
  const statuses = new Set<number>()
  const request = async (path: string, init: RequestInit) => {
    const response = await fetch(server.url + path, init)
    statuses.add(response.status)
    await response.text()
  }
  const requestAll = async (key: string) => {
    for (const form of FORMS) {
      const headers = form(key)
      await request('/v1/sets', { headers })
      await request('/v1/games', { headers })
      await request('/v1/cards/x', { headers })
      for (const path of ['/v1/bulk/prices', '/mcp']) {
        const type = { 'content-type': 'application/json' }
        await request(path, { method: 'POST', headers: { ...headers, ...type }, body: '{"a"' })
      }
    }
  }
  try {
    await server.ready()
    await requestAll(known)
    await requestAll(unknown)
    await requestAll(`${known} ${unknown}`)
    await request('/v1/sets', {
      headers: { 'x-api-key': known, authorization: `Bearer ${unknown}` },
    })
    breakTable(join(dataDir, 'catalog.db'), 'sets')
    await requestAll(known)
    breakTable(join(dataDir, 'ledger.db'), 'keys')
    await requestAll(late)
    await requestAll(unknown)
    await server.stop()
    const log = server.output()
    // Every kind of failure has occurred.
    for (const status of [200, 400, 401, 500]) expect([...statuses]).toContain(status)
    for (const event of ['request failed', 'key not read']) expect(log).toContain(event)
    expect(log).not.toContain('tcg_live_')
    for (const key of [known, late, unknown]) {
      const hash = Buffer.from(hashSecret(key))
      for (const secret of [key.slice(13, -4), hash.toString('hex'), hash.toString('base64')]) {
        expect(log).not.toContain(secret)
      }
    }
  } finally {
    await server.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
