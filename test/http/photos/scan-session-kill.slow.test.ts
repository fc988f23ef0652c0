// A server that is killed while clients send the photos of a scan session: each photo is stored and charged once.
import { expect, test } from 'bun:test'
import { SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { openLedger } from '#store/open-ledger.ts'
import { type Client, openClient, type ScanSessionItem } from '../../../src/client/client.ts'
import { CHAOS_LIMIT_MS, sizedFor } from '../../support/chaos.ts'
import { type ScriptedPhoto, scriptedPhoto } from '../../support/photos/fake-reader.ts'
import { createPhotoProcess, type PhotoProcess } from '../../support/photos/photo-process.ts'
import { createLedgerFile } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'

const KILLS = sizedFor(2, 40)
const PHOTOS = 4 * (KILLS + 1)
const PAGE_CARDS = 5
const CLIENTS = 3
const GRANTED = 100_000

/** Long enough for kills to happen during it. */
const READING_MS = 5

/** Every fourth photo is a page with one card that is not in the catalog. */
const isPage = (photo: number) => photo % 4 === 0

function photoOf(photo: number): Uint8Array<ArrayBuffer> {
  const one = (card: number): ScriptedPhoto => ({ name: `${photo}.${card}`, ms: READING_MS })
  const cards = Array.from({ length: PAGE_CARDS }, (_, card) => one(card))
  return scriptedPhoto(isPage(photo) ? { name: `${photo}`, cards } : one(0))
}

test(
  `a server that is killed ${KILLS} times during a session stores and charges each of ${PHOTOS} photos once`,
  async () => {
    const { folder, accounts, keys, close } = await createLedgerFile()
    const account_id = accounts.free
    const ledger = openLedger(folder)
    const grant = { account_id, n: GRANTED, ref: 'of this test' }
    await ledger.scans.grant(grant, { now: new Date(), address: undefined })
    await ledger.close()
    const server = await createPhotoProcess({ dataDir: folder })
    try {
      let restart = server.start()
      await restart
      const client = openClient({ baseUrl: server.url, key: keys.free })
      const id = crypto.randomUUID()
      const persist = retryWhile(() => restart)
      await persist(() => client.post('/v1/scan-sessions', { body: { id, name: 'Box' } }))

      // Some photos occur twice in a row, so that they are sent concurrently.
      const queue = Array.from({ length: PHOTOS }, (_, photo) => [photo, photo]).flat()
      const answers = { first: 0, repeated: 0, charged: 0 }
      const sendAll = async () => {
        for (let photo = queue.shift(); photo !== undefined; photo = queue.shift()) {
          const { data, meta } = await persist(() => send(client, id, photo))
          answers[meta.is_repeated ? 'repeated' : 'first']++
          answers.charged += meta.scans_charged
          await persist(() => confirmLast(client, id, data.items.at(-1)?.id ?? ''))
        }
      }
      const sending = Promise.all(Array.from({ length: CLIENTS }, sendAll))
      for (let kill = 1; kill <= KILLS; kill++) {
        const reads = server.readings().length
        const isDue = () => server.readings().length >= reads + 2 || queue.length === 0
        await waitFor(isDue)
        await server.kill()
        restart = server.start()
        await restart
      }
      await sending
      expect(answers.first + answers.repeated).toBe(2 * PHOTOS)
      expect(answers.repeated).toBeGreaterThanOrEqual(PHOTOS)

      const { data: session } = await client.get('/v1/scan-sessions/{id}', { path: { id } })
      const items = await listItems(client, id)
      const pages = PHOTOS / 4
      const scans = pages * PAGE_CARDS + (PHOTOS - pages)
      expect(session).toMatchObject({
        photo_count: PHOTOS,
        item_count: scans,
        scans_charged: scans,
        copies: scans + PHOTOS,
      })
      const perPhoto = Map.groupBy(items, ({ photo }) => photo)
      for (let photo = 0; photo < PHOTOS; photo++) {
        expect(perPhoto.get(`photo-${photo}`)).toHaveLength(isPage(photo) ? PAGE_CARDS : 1)
      }
      await expectBooks(folder, server, { account_id, scans })
    } finally {
      await server.close()
      close()
    }
  },
  CHAOS_LIMIT_MS,
)

const send = (client: Client, id: string, photo: number) =>
  client.post('/v1/scan-sessions/{id}/photos/{photo}', {
    path: { id, photo: `photo-${photo}` },
    query: { page: isPage(photo) ? 'true' : 'false' },
    body: new Blob([photoOf(photo)], { type: 'image/webp' }),
  })

async function listItems(client: Client, id: string) {
  for (let page = 1, items: ScanSessionItem[] = []; ; page++) {
    const query = { page, per_page: 100 }
    const { data, meta } = await client.get('/v1/scan-sessions/{id}/items', { path: { id }, query })
    items = [...items, ...data]
    if (!meta.has_more) return items
  }
}

/** Sets the last item of a photo to two copies, which a repeated upload does not change. */
const confirmLast = (client: Client, id: string, item: string) =>
  client.patch('/v1/scan-sessions/{id}/items/{item}', {
    path: { id, item },
    body: { quantity: 2, is_reviewed: true },
  })

/** Returns a function that repeats a request until it succeeds: after a failure, once the server is running again. */
function retryWhile(restart: () => Promise<void>) {
  return async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      try {
        return await request()
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        if (code !== 'NETWORK' && code !== 'NOT_JSON') throw error
        await restart().catch(() => {})
        await Bun.sleep(1)
      }
    }
  }
}

/** Checks the ledger once the holds of killed servers have expired; nothing else repairs it. */
async function expectBooks(
  folder: string,
  server: PhotoProcess,
  { account_id, scans }: { account_id: number; scans: number },
): Promise<void> {
  await server.kill()
  const ledger = openLedger(folder)
  await ledger.scans.refundOverdue(new Date(Date.now() + SCAN_HOLD_MS + 1_000))
  expect(await ledger.scans.listUnbalanced()).toEqual([])
  expect((await ledger.accounts.getScans(account_id)).balance).toBe(GRANTED + 25 - scans)
  await ledger.close()
}
