import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename, join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import type { Config } from '#config.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import { openLedger } from '#store/open-ledger.ts'
import { openClient, type ScanSessionItem } from '../src/client/client.ts'
import { renderScene, writeCameraVideo } from '../test/support/photos/camera-scenes.ts'
import { prepareScanCatalogs, SHARED } from './photo-catalogs.ts'
import { waitForIndex } from './reader.ts'
import { type Server, startScanServer, withServers } from './servers.ts'
import { formatShare } from './share.ts'
import { formatShort, type Row } from './table.ts'

const RUN = join(import.meta.dir, 'run/scan-session')
const VIDEO = join(RUN, 'camera.mjpeg')

const CARDS = 60
/** Start times of the cards in seconds: 24 cards per minute, if the machine keeps up with the camera. */
const TIMES = { card: 2, before: 0.33, end: 90 }
/** Size of the camera's frames: 11 pixels per millimeter of a card. */
const FRAME = { width: 900, height: 1_200 }

/** A card of the video. */
type ShownCard = { picture: string; id: number }
/** A photo that the page has captured, with its brightness in a small grid. */
type CapturedPhoto = { key: string; at: number; pixels: number[] }
type SessionResult = {
  photos: CapturedPhoto[]
  items: ScanSessionItem[]
  answeredAt: number
  /** Longest pause of the page's scripts, in milliseconds. */
  pauseMs: number
}

/**
 * Scans 60 cards with the page in Chromium, whose simulated camera shows them one after another: with the pictures of all
 * cards indexed, and among the real products without any, as on the first evening of a server.
 */
export async function benchScanSession(): Promise<Row[]> {
  if (!existsSync(join(SHARED, 'scans'))) {
    return [{ figure: 'a session of 60 cards', ours: 'skipped: ../shared/scans is missing' }]
  }
  const { scans, print, cards } = await prepareScanCatalogs()
  const shown = chooseUnseen(cards)
  rmSync(RUN, { recursive: true, force: true })
  mkdirSync(RUN, { recursive: true })
  process.stderr.write('  rendering the video\n')
  const pictures = shown.map(({ picture }) => picture)
  await writeCameraVideo(VIDEO, pictures, TIMES, listTables())
  const indexed = await scanWith(scans, shown)
  const unindexed = await scanWith(print, shown)
  return [
    ...indexed,
    ...unindexed.map((row) => ({ ...row, figure: `no picture indexed: ${row.figure}` })),
  ]
}

/** Scans the cards with a server on a copy of a catalog. */
async function scanWith({ dataDir: from, upstreamUrl }: Config, shown: readonly ShownCard[]) {
  const dataDir = join(RUN, basename(from))
  cpSync(from, dataDir, { recursive: true })
  const isIndexed = basename(from) === 'scans'
  return withServers([startScanServer(dataDir, upstreamUrl ?? '', isIndexed)], async ([server]) => {
    if (server === undefined) throw new Error('The server did not start.')
    if (isIndexed) await waitForIndex(dataDir)
    const result = await scanAll(server, await newSession(dataDir))
    const nearest = await nearestCards(
      result.photos,
      shown.map(({ picture }) => picture),
    )
    return listRows(shown, nearest, result)
  })
}

/** Chooses cards whose scans no network was trained on, from two games. */
function chooseUnseen(ids: ReadonlyMap<string, number>): ShownCard[] {
  const known = (scan: string): ShownCard[] => {
    const id = ids.get(scan)
    return id === undefined ? [] : [{ picture: join(SHARED, 'scans', scan), id }]
  }
  const list = (folder: string) =>
    readdirSync(join(SHARED, 'scans', folder)).map((file) => `${folder}/${file}`)
  const spread = (cards: ShownCard[], count: number) =>
    Array.from({ length: count }, (_, at) => cards[Math.floor((at * cards.length) / count)]).filter(
      (card) => card !== undefined,
    )
  const pokemon = spread(list('evolutions').flatMap(known), CARDS / 2)
  const magic = spread(list('dsk').filter(isHeldOut).flatMap(known), CARDS / 2)
  return pokemon.flatMap((card, at) => [card, ...magic.slice(at, at + 1)])
}

/** Returns true for scans that were excluded from training (scan_files of render/banks.py). */
function isHeldOut(scan: string): boolean {
  const name = scan.split('/')[1]?.split('__DSK')[0] ?? ''
  return (createHash('sha256').update(name).digest()[0] ?? 0) < 128
}

/** Tables of the video: plain colors, and pictures of wood, stone and fabric. */
function listTables() {
  const folder = join(SHARED, 'scans/textures')
  const files = readdirSync(folder).filter((name) =>
    /^(wood|marbled|woven|stained|smeared)/.test(name),
  )
  const surfaces = [
    '#2b2b2e',
    '#8a7d6c',
    '#d9d6cf',
    ...files.slice(0, 3).map((name) => join(folder, name)),
  ]
  return surfaces.map((surface) => ({ ...FRAME, surface }))
}

/** Creates an account with scans. @returns the value of its session cookie */
async function newSession(dataDir: string): Promise<string> {
  const ledger = openLedger(dataDir)
  const by = { now: new Date(), address: undefined }
  const person = {
    email: 'scanner@bench.example',
    password_hash: 'none',
    tier: 'business',
  } as const
  const account = await ledger.accounts.create(person, by)
  if (account === undefined) throw new Error('The account of the benchmark was not created.')
  await ledger.scans.grant({ account_id: account.id, n: 1_000, ref: person.email }, by)
  const token = generateSessionToken((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const session = { account_id: account.id, token_hash: hashSecret(token), password_hash: 'none' }
  await ledger.sessions.create({ ...session, replaces: undefined, now: by.now, address: 'bench' })
  await ledger.close()
  return token
}

/** Opens the camera in the page, and waits until the table is empty and every photo has a response. */
async function scanAll({ url }: Server, token: string): Promise<SessionResult> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${VIDEO}`,
    ],
  })
  try {
    const context = await browser.newContext({
      permissions: ['camera'],
      reducedMotion: 'reduce',
      viewport: { width: 390, height: 844 },
    })
    await context.addCookies([{ name: 'session', value: token, url, httpOnly: true }])
    const page = await context.newPage()
    await page.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
    await page.addInitScript(recordPhotos)
    await page.addInitScript(recordPauses)
    await page.goto(`${url}/identify/sessions`)
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByRole('button', { name: 'Scan with the camera' }).click()
    const answeredAt = await waitForEnd(page)
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const photos = await page.evaluate<CapturedPhoto[]>('recordedPhotos')
    const pauseMs = await page.evaluate<number>('longestPause')
    return { photos, items: await listItems(url, token, id), answeredAt, pauseMs }
  } finally {
    await browser.close()
  }
}

/** Runs in the page: stores a small copy of each photo that is put into the inbox. */
function recordPhotos(): void {
  const photos: CapturedPhoto[] = []
  Object.assign(globalThis, { recordedPhotos: photos })
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (value, ...rest) {
    if (value.file instanceof Blob) {
      const photo: CapturedPhoto = { key: value.key, at: Date.now(), pixels: [] }
      photos.push(photo)
      void createImageBitmap(value.file).then((bitmap) => {
        const context = new OffscreenCanvas(24, 32).getContext('2d')
        context?.drawImage(bitmap, 0, 0, 24, 32)
        const { data } = context?.getImageData(0, 0, 24, 32) ?? { data: [] }
        // The second of four values of a pixel is green.
        photo.pixels = Array.from(data).filter((_, at) => at % 4 === 1)
      })
    }
    return put.call(this, value, ...rest)
  }
}

/** Runs in the page: measures pauses in which the page cannot process its camera. */
function recordPauses(): void {
  let [last, longest] = [performance.now(), 0]
  setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    Object.assign(globalThis, { longestPause: longest })
  }, 50)
}

/** Time without a card after which the video has ended. */
const END_MS = 6_000

/**
 * Waits for the end of the video, closes the camera, before which the video begins again, and waits for the answers.
 *
 * @returns the time at which the last photo was processed
 */
async function waitForEnd(page: Page): Promise<number> {
  const advice = page.locator('.capture-advice')
  const answers = page.locator('.capture-answer')
  let [emptySince, captured, answeredAt] = [Date.now(), '0', 0]
  while (captured === '0' || Date.now() - emptySince < END_MS) {
    await Bun.sleep(100)
    const [shown = '', answer = ''] = [await advice.textContent(), await answers.textContent()].map(
      (text) => text ?? '',
    )
    const now = Date.now()
    const count = answer.split(' ')[0] ?? '0'
    if (shown !== 'Show a card' || count !== captured) emptySince = now
    if (count !== captured && Number(count) % 10 === 0) process.stderr.write(`  ${answer}\n`)
    captured = count
    if (answer.includes('waiting')) answeredAt = now
  }
  await page.getByRole('button', { name: 'Done' }).click()
  const queue = page.getByRole('progressbar', { name: 'Photos read' })
  if (await queue.isVisible()) {
    await queue.waitFor({ state: 'detached', timeout: 600_000 })
    answeredAt = Date.now()
  }
  return answeredAt
}

async function listItems(url: string, token: string, id: string): Promise<ScanSessionItem[]> {
  const headers = { cookie: `session=${token}`, 'X-Cardstock-Page': '1' }
  const client = openClient({ baseUrl: url, headers })
  const query = { per_page: 100 }
  return (await client.get('/v1/scan-sessions/{id}/items', { path: { id }, query })).data
}

/** Returns the index of the card that each photo shows. */
async function nearestCards(
  photos: readonly CapturedPhoto[],
  pictures: readonly string[],
): Promise<number[]> {
  const tables = listTables()
  const scenes: Uint8Array[] = []
  for (const [index, picture] of pictures.entries()) {
    const scene = await renderScene(picture, {}, tables[index % tables.length])
    const { data } = await sharp(await scene.png().toBuffer())
      .resize(24, 32, { fit: 'fill' })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    scenes.push(data.filter((_, at) => at % 3 === 1))
  }
  return photos.map(({ pixels }) => {
    const distances = scenes.map((scene) =>
      scene.reduce((sum, value, at) => sum + Math.abs(value - (pixels[at] ?? 0)), 0),
    )
    return distances.indexOf(Math.min(...distances))
  })
}

function listRows(
  shown: readonly ShownCard[],
  nearest: readonly number[],
  { photos, items, answeredAt, pauseMs }: SessionResult,
): Row[] {
  const captures = shown.map((_, index) => nearest.filter((one) => one === index).length)
  const times = photos.map(({ at }) => at)
  const [first = 0, last = 0] = [Math.min(...times), Math.max(...times)]
  const perMinute = (photos.length - 1) / ((last - first) / 60_000)
  const waited = Math.max(0, answeredAt - last) / 1_000
  const truth = new Map(photos.map(({ key }, at) => [key, shown[nearest[at] ?? -1]?.id]))
  const isRight = ({ photo, card_id }: ScanSessionItem) => card_id === truth.get(photo)
  const certain = items.filter(({ is_reviewed }) => is_reviewed)
  const open = items.filter(({ is_reviewed }) => !is_reviewed)
  const among = open.filter(({ photo, candidates }) =>
    candidates.slice(0, 9).some(({ card_id }) => card_id === truth.get(photo)),
  )
  const once = captures.filter((count) => count === 1).length
  const wrong = certain.filter((item) => !isRight(item)).length
  const load = `load average ${formatShort(loadavg()[0] ?? 0)}`
  const numbers = (is: (count: number) => boolean) =>
    captures.flatMap((count, at) => (is(count) ? [at + 1] : [])).join(', ') || 'none'
  return [
    {
      figure: 'cards captured once',
      ours: `${formatShare(once, shown.length)}; missed ${numbers((count) => count === 0)}; more than once ${numbers((count) => count > 1)}`,
      limit: `longest pause of the page ${formatShort(pauseMs)} ms`,
      target: '100 %',
      met: once === shown.length,
    },
    {
      figure: 'cards captured per minute',
      ours: formatShort(perMinute),
      limit: load,
      target: '20',
      met: perMinute >= 19.5,
    },
    { figure: 'last answer after the last capture', ours: `${formatShort(waited)} s`, limit: load },
    {
      figure: 'correct without any correction',
      ours: formatShare(certain.length - wrong, items.length),
      limit: `wrong ${wrong}`,
    },
    {
      figure: 'one key: the right card is among the candidates',
      ours: `${among.length} of ${open.length} to review`,
      limit: statuses(open),
    },
    { figure: 'searched or removed by hand', ours: `${open.length - among.length}` },
  ]
}

function statuses(items: readonly ScanSessionItem[]): string {
  const counts = Map.groupBy(items, ({ status }) => status)
  return [...counts].map(([status, list]) => `${status} ${list.length}`).join(', ')
}
