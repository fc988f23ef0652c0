// Compares photos on one photo worker, on two, and in a thread of this process, in turn.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPhotoWorker } from '#outbound/photos/photo-worker-client.ts'
import { openPictureReader } from '#store/open-catalog.ts'
import type { PhotoReader } from '#vision/worker/photo-reader.ts'
import { createPhotoReader } from '#vision/worker/reader.ts'
import { createRemoteReader } from '#vision/worker/remote-reader.ts'
import { createWorkerProcess, WORKER_SECRET } from '../test/support/photos/worker-process.ts'
import { prepareSample } from '../test/support/server-process.ts'
import { cpuOf, interleave, middle, ratio, type Sample } from './measure.ts'
import { formatShort, percent, type Row } from './table.ts'

const SAMPLE = join(import.meta.dir, '../data/sample/photos')
const DATA = join(import.meta.dir, 'run/workers')

/** Measures photos per core-second of all processes: the workers, and this process, which sends the photos. */
export async function benchWorkers(): Promise<Row[]> {
  rmSync(DATA, { recursive: true, force: true })
  mkdirSync(DATA, { recursive: true })
  await prepareSample(DATA)
  const names = readdirSync(SAMPLE).filter((name) => name.endsWith('.jpg'))
  const photos = await Promise.all(names.map((name) => Bun.file(join(SAMPLE, name)).bytes()))
  const workers = [await startWorker(), await startWorker()]
  const urls = workers.map(({ url }) => url)
  const catalog = openPictureReader(DATA)
  const readers = {
    thread: createPhotoReader({ workers: 1, log: SILENT, pictures: catalog.pictures }),
    one: openWorkers(urls.slice(0, 1)),
    two: openWorkers(urls),
  }
  try {
    const pids = [process.pid, ...workers.flatMap((worker) => worker.pid())]
    const measure = (reader: PhotoReader, atOnce: number) => () =>
      readAll(reader, photos, { atOnce, pids })
    const rounds = await interleave(ROUNDS, {
      thread: measure(readers.thread, 2),
      one: measure(readers.one, 2),
      two: measure(readers.two, 4),
    })
    const share = ratio(rounds, 'perCoreSecond', 'two', 'one')
    const figures = (subject: string) =>
      `${formatShort(middle(rounds, subject, 'perCoreSecond'))} per core-second, ${formatShort(middle(rounds, subject, 'perSecond'))} per second`
    return [
      {
        figure: 'photos on two photo workers',
        ours: figures('two'),
        limit: `${figures('one')} on one; ${figures('thread')} in a thread`,
        toLimit: `${percent(share)} per core-second, ${percent(ratio(rounds, 'perSecond', 'two', 'one'))} per second`,
        target: '95 % per core-second',
        met: share >= 0.95,
      },
    ]
  } finally {
    await Promise.all(Object.values(readers).map((reader) => reader.close()))
    catalog.close()
    await Promise.all(workers.map((worker) => worker.kill()))
    rmSync(DATA, { recursive: true, force: true })
  }
}

async function startWorker() {
  const worker = await createWorkerProcess({ dataDir: DATA, isScripted: false })
  worker.spawn()
  await worker.ready()
  return worker
}

function openWorkers(urls: readonly string[]): PhotoReader {
  return createRemoteReader({
    log: SILENT,
    workers: urls.map((url) => openPhotoWorker(url, WORKER_SECRET)),
  })
}

/** Reads all photos, some concurrently, each from another sender. */
async function readAll(
  reader: PhotoReader,
  photos: readonly Uint8Array[],
  { atOnce, pids }: { atOnce: number; pids: readonly number[] },
): Promise<Sample> {
  while (!reader.state().ready) await Bun.sleep(50)
  const usedCpu = () => pids.reduce((sum, pid) => sum + cpuOf(pid), 0) / 1e6
  const [started, cpu] = [performance.now(), usedCpu()]
  const waiting = [...photos]
  async function send(sender: string): Promise<void> {
    for (let photo = waiting.pop(); photo !== undefined; photo = waiting.pop()) {
      await reader.read(photo, { gameId: undefined, sender: { network: sender, payer: sender } })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, index) => send(`sender ${index}`)))
  return {
    perCoreSecond: photos.length / (usedCpu() - cpu),
    perSecond: (photos.length * 1_000) / (performance.now() - started),
  }
}

const ROUNDS = 5

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
