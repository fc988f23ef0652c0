// Pictures of a camera above a table: cards of the sample, and a video in which they are placed there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { SAMPLE } from '../test-app.ts'

/** A table under the camera. */
export type CameraTable = {
  width: number
  height: number
  /** Color, or the path of a picture. */
  surface: string
}

/** Size of the rendered frames, in a phone's upright format. */
export const SCENE = { width: 720, height: 960 } as const

const PLAIN_TABLE: CameraTable = { ...SCENE, surface: '#6f6256' }

export type Placement = {
  /** Degrees. */
  angle?: number
  /** Height of the card as a share of the displayed outline. */
  size?: number
  /** Distance from the middle, in pixels. */
  dx?: number
  dy?: number
}

/** Returns the path of a card's picture in the sample. */
export function samplePicture(card: number): string {
  return join(SAMPLE, 'pictures', `${card}.webp`)
}

/** Renders a card on a table, or the table without a card. */
export async function renderScene(
  picture: string | undefined,
  { angle = 0, size = 1, dx = 0, dy = 0 }: Placement = {},
  { width, height, surface }: CameraTable = PLAIN_TABLE,
): Promise<Sharp> {
  const table = surface.startsWith('#')
    ? sharp({ create: { width, height, channels: 3, background: surface } })
    : sharp(readFileSync(surface)).resize(width, height)
  if (picture === undefined) return table
  const tall = Math.round(0.82 * height * size)
  const wide = Math.round((tall * 63) / 88)
  // Passed as bytes, because the server forbids file formats.
  const card = await sharp(readFileSync(picture))
    .resize(wide, tall, { fit: 'fill' })
    .ensureAlpha()
    .composite([{ ...roundedMask(wide, tall), blend: 'dest-in' }])
    .rotate(angle, { background: '#0000' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const left = Math.round((width - card.info.width) / 2 + dx)
  const top = Math.round((height - card.info.height) / 2 + dy)
  const composed = await table
    .composite([{ input: card.data, raw: card.info, left, top }])
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(composed.data, { raw: composed.info })
}

/** Draws the shape of a card with round corners, in raw pixels, because the server forbids other formats. */
function roundedMask(width: number, height: number) {
  const radius = 0.05 * width
  const input = Buffer.alloc(width * height * 4, 255)
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const dx = Math.max(radius - x, x - (width - 1 - radius), 0)
    const dy = Math.max(radius - y, y - (height - 1 - radius), 0)
    if (Math.hypot(dx, dy) > radius) input[4 * at + 3] = 0
  }
  return { input, raw: { width, height, channels: 4 } } as const
}

/** Frames per second of Chromium's simulated camera. */
const FRAME_RATE = 30

/** Distances from the card's place, in the frames in which it is placed on the table. */
const ARRIVAL = [260, 170, 90, 40]

/** Seconds of a video: for each card, for the table before each card, and for the table at the end. */
export type VideoTimes = { card: number; before: number; end: number }

/**
 * Writes a video in which cards are placed on the table one after another: concatenated JPEG files, which Chromium's
 * simulated camera repeats. It ends with an empty table.
 *
 * @param tables used in turn for the cards
 */
export async function writeCameraVideo(
  path: string,
  pictures: readonly string[],
  times: VideoTimes,
  tables: readonly CameraTable[] = [PLAIN_TABLE],
): Promise<void> {
  const file = Bun.file(path).writer()
  const show = (frame: Uint8Array, seconds: number) => {
    for (let at = 0; at < seconds * FRAME_RATE; at++) file.write(frame)
  }
  for (const [index, picture] of pictures.entries()) {
    const table = tables[index % tables.length]
    // No two cards are put in the same place.
    const placement = { angle: (index % 5) - 2, dx: 4 * (index % 4) - 6, dy: 3 * (index % 3) - 3 }
    show(await encodeFrame(undefined, {}, table), times.before)
    for (const dy of ARRIVAL)
      file.write(await encodeFrame(picture, { ...placement, dy: placement.dy + dy }, table))
    show(await encodeFrame(picture, placement, table), times.card)
    await file.flush()
  }
  show(await encodeFrame(undefined, {}, tables.at(-1)), times.end)
  await file.end()
}

async function encodeFrame(...scene: Parameters<typeof renderScene>) {
  return (await renderScene(...scene)).jpeg({ quality: 90 }).toBuffer()
}
