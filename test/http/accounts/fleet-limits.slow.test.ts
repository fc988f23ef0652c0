// Attacks on three servers with one ledger: a limit holds for all of them together.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import {
  type FakeReader,
  fakeReader,
  OBSERVATION,
  PHOTO,
} from '../../support/photos/reader-fixtures.ts'
import { createTestApp, PASSWORD, type TestApp } from '../../support/test-app.ts'

const HOME = '192.0.2.7'
const SERVERS = 3

describe.each(LEDGERS)('three servers with one ledger on %s', (_name, create) => {
  let ledgers: TestLedgers
  let servers: TestApp[]
  let reader: FakeReader

  beforeEach(async () => {
    ledgers = await create()
    // No card is found.
    reader = fakeReader(() => ({ ...OBSERVATION, neighbors: [] }))
    const env = { TRUST_PROXY: '1', REGISTRATIONS_PER_IP: '6' }
    const open = () => createTestApp({ env, ledger: ledgers.open(), reader })
    servers = await Promise.all(Array.from({ length: SERVERS }, open))
  })
  afterEach(() => ledgers.close())

  const serverAt = (index: number) => servers[index % SERVERS] as TestApp
  const headers = { 'x-forwarded-for': HOME }

  /** Sends requests to the servers in turn. @returns the statuses in order */
  async function sendEach(
    count: number,
    send: (server: TestApp, index: number) => Promise<{ status: number }>,
  ): Promise<number[]> {
    const statuses: number[] = []
    for (let index = 0; index < count; index++) {
      statuses.push((await send(serverAt(index), index)).status)
    }
    return statuses
  }

  test('refuse made-up tokens of new passwords, and let people log in beside them', async () => {
    const login = { email: 'ada@letters.example', password: PASSWORD }
    expect((await serverAt(0).client.post('/v1/auth/register', login)).status).toBe(201)
    const json = { token: 'A'.repeat(43), new_password: 'a new sentence of words' }
    const tokens = sendEach(63, ({ client }) =>
      client.post('/v1/auth/reset/password', json, { headers }),
    )
    expect((await serverAt(1).client.post('/v1/auth/login', login, { headers })).status).toBe(200)
    expect(await tokens).toEqual([...Array(60).fill(404), 429, 429, 429])
  })

  test('refuse registrations', async () => {
    const register = ({ client }: TestApp, index: number) =>
      client.post(
        '/v1/auth/register',
        { email: `${index}@letters.example`, password: PASSWORD },
        { headers },
      )
    expect(await sendEach(8, register)).toEqual([...Array(6).fill(201), 429, 429])
  })

  test('refuse readers of a shared collection', async () => {
    const session = await serverAt(0).createSession('pro')
    const owner = serverAt(0).client
    const box = await owner.post<{ id: string }>('/v1/collections', { name: 'Box' }, { session })
    const path = `/v1/collections/${box.body.data.id}/share`
    const shared = await owner.post<{ token: string }>(path, {}, { session })
    const read = ({ client }: TestApp) =>
      client.get(`/v1/shared/${shared.body.data.token}`, { headers })
    expect(await sendEach(122, read)).toEqual([...Array(120).fill(200), 429, 429])
  })

  test('charge pages of cards without a result after a hundred', async () => {
    const session = await serverAt(0).createSession('free')
    reader.page = Array.from({ length: 36 }, (_, index) => Uint8Array.of(index))
    const charged: number[] = []
    for (const { client } of servers) {
      const { body } = await client.request('POST', '/v1/identify/page', {
        session,
        body: PHOTO.jpeg,
        headers: { ...headers, 'content-type': 'image/jpeg' },
      })
      charged.push(Number(body.meta.scans_charged))
    }
    expect(charged).toEqual([0, 0, 8])
  })
})
