import { scriptedPhoto } from '../photos/fake-reader.ts'
import { createTestApp, type TestUser } from '../test-app.ts'

/** A response that something was created, with the times of request and response. */
export type Acknowledgement = {
  kind: 'scan' | 'key'
  id: string
  requestedAt: number
  acknowledgedAt: number
}

/** Creates a data folder with accounts, keys, a session and many scans. */
export async function createLoadedFolder() {
  const testApp = await createTestApp({ onDisk: true })
  const { deps, keys } = testApp
  // The server uses the machine's clock; a session of the app's frozen time may have expired there.
  testApp.setClock(new Date().toISOString())
  const session = await testApp.createSession('business')
  const account = await deps.ledger.accounts.getByEmail('business@guests.example')
  const grant = { account_id: account?.id ?? 0, n: 100_000, ref: 'of this test' }
  await deps.ledger.scans.grant(grant, { now: deps.now(), address: undefined })
  deps.catalog.close()
  deps.ledger.close()
  return {
    dataDir: deps.config.dataDir,
    keys,
    session,
    close: () => {
      testApp.catalogDb.close()
    },
  }
}

type ServerAccess = { url: string; keys: Record<TestUser, string>; session: string }

/**
 * Starts sixteen clients that search, request prices, send photos, and create and revoke keys, each sequentially,
 * until they are stopped. Records the responses of each client.
 */
export function startClients({ url, keys, session }: ServerAccess) {
  let isOver = false
  let requests = 0
  const slowest = { ms: 0 }
  const acks: Acknowledgement[][] = []

  async function request(path: string, init: RequestInit): Promise<{ id: string }> {
    const begun = performance.now()
    const response = await fetch(url + path, init)
    const body = await response.json()
    slowest.ms = Math.max(slowest.ms, performance.now() - begun)
    requests++
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`)
    return body.data
  }

  async function noted(
    own: Acknowledgement[],
    kind: Acknowledgement['kind'],
    create: () => Promise<{ id: string }>,
  ) {
    const requestedAt = Date.now()
    const { id } = await create()
    own.push({ kind, id, requestedAt, acknowledgedAt: Date.now() })
    return id
  }

  async function client(index: number): Promise<void> {
    const own: Acknowledgement[] = []
    acks.push(own)
    const keyed = { 'X-API-Key': keys.business }
    const scan = { ...keyed, 'content-type': 'image/webp' }
    const owner = { cookie: `session=${session}`, 'content-type': 'application/json' }
    for (let turn = 0; !isOver; turn++) {
      await request('/v1/search?q=marigold', { headers: keyed })
      await request('/v1/cards/900401/prices', { headers: keyed })
      const photo = scriptedPhoto({ name: `${index}-${turn}` })
      await noted(own, 'scan', () =>
        request('/v1/identify', { method: 'POST', headers: scan, body: photo }),
      )
      // An account can only have a few keys at a time.
      if (index > 2) continue
      const body = JSON.stringify({ name: 'of the load' })
      const id = await noted(own, 'key', () =>
        request('/v1/keys', { method: 'POST', headers: owner, body }),
      )
      await request(`/v1/keys/${id}`, { method: 'DELETE', headers: owner })
    }
  }

  const running = Promise.all(Array.from({ length: 16 }, (_, index) => client(index)))
  return {
    requests: () => requests,
    slowest,
    /** The responses by client, in order. */
    async end(): Promise<Acknowledgement[][]> {
      isOver = true
      await running
      return acks
    },
  }
}
