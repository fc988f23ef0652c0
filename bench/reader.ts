import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { newKey } from './data.ts'
import { interleave, median, middle, percentile, residentOf, type Sample } from './measure.ts'
import { createHarness } from './photos.ts'
import { requireServer } from './prices.ts'
import { type Server, startPhotoServer, withServers } from './servers.ts'
import { formatShort, type Row } from './table.ts'

const SAMPLE = join(import.meta.dir, '../data/sample/photos')
const PICTURES = join(import.meta.dir, '../data/sample/pictures')
const DATA = join(import.meta.dir, 'run/reader')

/** Measures the cost of a photo, and the effect on other requests. */
export async function benchReader(): Promise<Row[]> {
  return [...(await onePhoto()), ...(await manyPhotos())]
}

/** Reads the sample photos at 2 and 12 megapixels on one core, and searches them among the sample pictures. */
async function onePhoto(): Promise<Row[]> {
  const harness = await createHarness(readdirSync(PICTURES).map((name) => join(PICTURES, name)))
  const photos = await samplePhotos()
  const rows: Row[] = []
  for (const [megapixels, width, height, target] of SIZES) {
    const sized = await Promise.all(
      photos.map((photo) => sharp(photo).resize(width, height, { fit: 'fill' }).jpeg().toBuffer()),
    )
    const stages = new Map<string, number[]>()
    for (let round = 0; round < 3; round++) {
      for (const photo of sized) {
        for (const [stage, ms] of Object.entries((await harness.read(photo)).stages)) {
          stages.set(stage, [...(stages.get(stage) ?? []), ms])
        }
      }
    }
    const took = stages.get('total') ?? []
    const p50 = percentile(took, 50)
    rows.push({
      figure: `one photo of ${megapixels} megapixels, one core (${harness.backend})`,
      ours: `p50 ${formatShort(p50)} ms, p95 ${formatShort(percentile(took, 95))} ms`,
      limit: [...stages].map(([stage, list]) => `${stage} ${formatShort(median(list))}`).join(', '),
      target: `p50 ${target} ms`,
      met: p50 <= target,
    })
  }
  harness.close()
  return rows
}

const SIZES = [
  [12, 3000, 4000, 500],
  [2, 1224, 1632, 320],
] as const

/** Returns the photos of single cards. Others skip stages. */
function samplePhotos(): Promise<Uint8Array<ArrayBuffer>[]> {
  const names = readdirSync(SAMPLE).filter((name) => name.endsWith('.jpg'))
  const single = names.filter((name) => !/^(two-cards|back|no-card)/.test(name))
  return Promise.all(single.map((name) => Bun.file(join(SAMPLE, name)).bytes()))
}

/** Measures sequential requests while eight photos are read. */
async function manyPhotos(): Promise<Row[]> {
  rmSync(DATA, { recursive: true, force: true })
  mkdirSync(DATA, { recursive: true })
  const photos = (await samplePhotos()).slice(0, 8)
  return withServers([startPhotoServer(DATA)], async ([server]) => {
    const ours = requireServer(server)
    await waitForIndex(DATA)
    // An account may have only a few photos waiting.
    const keys = await Promise.all(photos.map(() => newKey(DATA, 'business', PHOTOS)))
    const identifyAll = () =>
      Promise.all(photos.map((photo, index) => identify(ours, keys[index] ?? '', photo)))
    const rounds = await interleave(3, {
      idle: () => requestWhile(ours, Bun.sleep(2_000)),
      busy: () => requestWhile(ours, identifyAll()),
    })
    const [idle, busy] = [middle(rounds, 'idle', 'p99'), middle(rounds, 'busy', 'p99')]
    for (let sent = 3 * photos.length; sent < PHOTOS; sent += photos.length) await identifyAll()
    const resident = residentOf(ours.pid) / 1e6
    return [
      {
        figure: 'other requests while 8 photos are read, p99',
        ours: `${formatShort(busy)} ms (median ${formatShort(middle(rounds, 'busy', 'p50'))} ms)`,
        limit: `${formatShort(idle)} ms idle`,
        target: '20 ms',
        met: busy < 20,
      },
      {
        figure: `memory of the server after ${PHOTOS} photos`,
        ours: `${formatShort(resident)} MB`,
        target: '400 MB',
        met: resident <= 400,
      },
    ]
  })
}

/** Measures sequential requests until a promise settles. */
export async function requestWhile({ url }: Server, end: Promise<unknown>): Promise<Sample> {
  const took: number[] = []
  let isOver = false
  const ending = end.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const started = performance.now()
    await (await fetch(`${url}/v1/games`)).arrayBuffer()
    took.push(performance.now() - started)
    // Pauses, so that these requests do not load the server themselves.
    await Bun.sleep(2)
  }
  await ending
  return { p50: median(took), p99: percentile(took, 99) }
}

async function identify(
  { url }: Server,
  key: string,
  photo: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const response = await fetch(`${url}/v1/identify`, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg', 'x-api-key': key },
    body: photo,
  })
  if (!response.ok)
    throw new Error(`identify returned ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/** Waits until the server has indexed the sample pictures. */
export async function waitForIndex(dataDir: string): Promise<void> {
  const catalog = openCatalog(dataDir, createPictureUrl('http://localhost'))
  const until = performance.now() + 120_000
  while (catalog.pictures.count() < SAMPLE_PICTURES && performance.now() < until)
    await Bun.sleep(500)
  catalog.close()
  // The reader polls for changed pictures every few seconds.
  await Bun.sleep(8_000)
}

/** Total number of photos that the server reads. */
const PHOTOS = 500

const SAMPLE_PICTURES = 116
