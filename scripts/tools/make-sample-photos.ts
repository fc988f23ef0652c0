/**
 * Renders the photos of sample cards in `data/sample/photos`, with labels.json: used by the
 * first identification of a new user and by tests.
 *
 *     bun scripts/tools/make-sample-photos.ts [CHROMIUM]
 *
 * A browser lays the cards out in perspective, on tables drawn by SVG noise. It shares nothing with
 * the renderer that the networks are trained with (scripts/training), so that a reader that has only
 * learned that renderer's habits fails here.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { drawScene, PHOTO_HEIGHT, PHOTO_WIDTH, SCENES } from './sample/photo-scenes.ts'

const TARGET = join(import.meta.dir, '../../data/sample/photos')
const CHROMIUM = process.argv[2] ?? 'chromium'

await makePhotos()

async function makePhotos(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'cardstock-photos-'))
  await rm(TARGET, { recursive: true, force: true })
  await mkdir(TARGET, { recursive: true })
  for (const scene of SCENES) {
    const page = join(work, `${scene.name}.html`)
    await Bun.write(page, await drawScene(scene))
    const shot = join(work, `${scene.name}.png`)
    photograph(page, shot, join(work, 'profile'))
    const [camera, quality] = [sharp(shot), scene.quality ?? 82]
    if (scene.blur !== undefined) camera.blur(scene.blur)
    await camera.jpeg({ quality, mozjpeg: true }).toFile(join(TARGET, `${scene.name}.jpg`))
  }
  const labels = SCENES.map(({ name, what, cards, status }) => ({
    file: `${name}.jpg`,
    what,
    cards,
    status,
  }))
  await Bun.write(join(TARGET, 'labels.json'), `${JSON.stringify(labels, null, 2)}\n`)
  await rm(work, { recursive: true, force: true })
  console.log(`${SCENES.length} photos in data/sample/photos`)
}

/** Renders a page to an image. The browser makes no requests. */
function photograph(page: string, shot: string, profile: string): void {
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--hide-scrollbars',
    '--allow-file-access-from-files',
    `--user-data-dir=${profile}`,
    `--window-size=${PHOTO_WIDTH},${PHOTO_HEIGHT}`,
    `--screenshot=${shot}`,
  ]
  const { exitCode, stderr } = Bun.spawnSync([CHROMIUM, ...flags, `file://${page}`])
  if (exitCode !== 0) throw new Error(`The browser ended with ${exitCode}: ${stderr}`)
}
