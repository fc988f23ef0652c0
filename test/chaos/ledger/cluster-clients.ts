// Clients of a cluster. Each logs its requests and responses, which are all that the checks know.
import { sizedFor } from '../../support/chaos.ts'
import { scriptedPhoto } from '../../support/photos/fake-reader.ts'

/** A request; `status` is 0 if its response was lost, so that the server may or may not have executed it. */
export type Exchange = {
  kind: 'quota' | 'key' | 'scan' | 'checkout' | 'login'
  /** Account or key. */
  subject: string
  startedAt: number
  ms: number
  status: number
}

export type Customer = { key: string; cookie: string }

export type Clients = {
  exchanges: Exchange[]
  /** Time of `performance.now()` at which a response confirmed the key's revocation. */
  revokedAt: Map<string, number>
  /** Stops all clients after their last response. */
  stop(): Promise<void>
}

/** @param customers customers of each kind of client, in the order of their use */
export function startClients(
  urls: readonly string[],
  customers: Record<'quota' | 'key' | 'scan' | 'checkout', readonly Customer[]>,
  login: { email: string; password: string },
  random: () => number,
): Clients {
  const exchanges: Exchange[] = []
  const revokedAt = new Map<string, number>()
  let isStopped = false
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T

  async function send(
    kind: Exchange['kind'],
    subject: string,
    path: string,
    init: RequestInit = {},
    url = pick(urls),
  ): Promise<{ status: number; text: string }> {
    const startedAt = performance.now()
    const { status, text } = await fetch(url + path, {
      ...init,
      headers: { origin: url, ...init.headers },
      signal: AbortSignal.timeout(HANG_MS),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => ({ status: 0, text: '' }))
    exchanges.push({ kind, subject, startedAt, ms: performance.now() - startedAt, status })
    // A killed server refuses at once, so that other clients get their turn.
    await Bun.sleep(status === 0 || status === 503 ? 20 : PAUSE_MS)
    return { status, text }
  }
  const post = (body: object, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

  /** Uses up one account after another. */
  async function spendQuota(offset: number): Promise<void> {
    for (let index = offset; !isStopped; ) {
      const { key } = customers.quota[index % customers.quota.length] as Customer
      const headers = { 'X-API-Key': key }
      const { status } = await send('quota', key, '/v1/search?q=dragon&limit=1', { headers })
      if (status === 429) index += QUOTA_CLIENTS
    }
  }

  /** Creates, uses and revokes a key, then tries it on all servers. */
  async function useKeys(index: number): Promise<void> {
    const { cookie } = customers.key[index] as Customer
    while (!isStopped) {
      const made = await send('key', 'new', '/v1/keys', post({ name: 'chaos' }, { cookie }))
      if (made.status !== 201) continue
      const { id, key } = JSON.parse(made.text).data
      const init = { headers: { 'X-API-Key': key } }
      const use = (url?: string) => send('key', key, '/v1/search?q=dragon&limit=1', init, url)
      for (const url of urls) await use(url)
      for (let status = 0; status !== 200 && status !== 404; ) {
        const revoke = { method: 'DELETE', headers: { cookie } }
        status = (await send('key', 'revoke', `/v1/keys/${id}`, revoke)).status
        if (isStopped && status !== 200) break
        if (status === 200) revokedAt.set(key, performance.now())
      }
      for (let turn = 0; turn < 8; turn++) {
        await Bun.sleep(200)
        await Promise.all(urls.map(use))
      }
    }
  }

  async function scan(index: number): Promise<void> {
    const { key } = customers.scan[index] as Customer
    for (let photo = 0; !isStopped; photo++) {
      // Every fourth photo fails in the reader, and must be refunded.
      const script = { name: `${index}-${photo}`, ms: 20, ...(photo % 4 === 3 && FAILING) }
      const headers = { 'X-API-Key': key, 'content-type': 'image/webp' }
      const init = { method: 'POST', headers, body: scriptedPhoto(script) }
      await send('scan', key, '/v1/identify', init)
    }
  }

  async function buy(index: number): Promise<void> {
    const { key, cookie } = customers.checkout[index] as Customer
    while (!isStopped) {
      const init = post({ plan: 'scans_1000' }, { cookie })
      await send('checkout', key, '/v1/payments/create-checkout', init)
      await Bun.sleep(50)
    }
  }

  async function logIn(): Promise<void> {
    while (!isStopped) {
      await send('login', login.email, '/v1/auth/login', post(login))
      await Bun.sleep(250)
    }
  }

  const clients = [
    ...Array.from({ length: QUOTA_CLIENTS }, (_, index) => spendQuota(index)),
    ...customers.key.map((_, index) => useKeys(index)),
    ...customers.scan.map((_, index) => scan(index)),
    ...customers.checkout.map((_, index) => buy(index)),
    logIn(),
  ]
  return {
    exchanges,
    revokedAt,
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}

const FAILING = { fails: 'always' } as const

const QUOTA_CLIENTS = 6

/** Other tests run beside the short run. */
const PAUSE_MS = sizedFor(60, 0)

/** A client gives up after this time, in milliseconds. */
const HANG_MS = 20_000
