// Pictures of a camera above a table: cards of the sample, and the video in which they are put there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { SAMPLE } from '../test-app.ts'

/** Size of the rendered frames, upright as a phone's. */
export const SCENE = { width: 720, height: 960 } as const

export type Placement = {
  /** Degrees. */
  angle?: number
  /** Height of the card as a share of the outline in which it is shown. */
  size?: number
  /** Distance from the middle, in pixels. */
  dx?: number
  dy?: number
}

/** Returns the path of a card's picture in the sample. */
export function samplePicture(card: number): string {
  return join(SAMPLE, 'pictures', `${card}.webp`)
}

/** Renders a card on a table of one color, or the table without a card. Returns raw pixels of red, green and blue. */
export async function renderScene(
  picture: string | undefined,
  { angle = 0, size = 1, dx = 0, dy = 0 }: Placement = {},
): Promise<Sharp> {
  const { width, height } = SCENE
  const table = sharp({ create: { width, height, channels: 3, background: '#6f6256' } })
  if (picture === undefined) return table
  const tall = Math.round(0.82 * height * size)
  const wide = Math.round((tall * 63) / 88)
  // As bytes, because the server forbids the formats of files.
  const card = await sharp(readFileSync(picture))
    .resize(wide, tall, { fit: 'fill' })
    .ensureAlpha()
    .composite([{ ...roundedMask(wide, tall), blend: 'dest-in' }])
    .rotate(angle, { background: '#0000' })
    .png()
    .toBuffer({ resolveWithObject: true })
  const left = Math.round((width - card.info.width) / 2 + dx)
  const top = Math.round((height - card.info.height) / 2 + dy)
  const composed = await table
    .composite([{ input: card.data, left, top }])
    .png()
    .toBuffer()
  return sharp(composed)
}

/** Draws the shape of a card with round corners. In raw pixels, because the server forbids other formats. */
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

/** Frames of Chromium's simulated camera in a second. */
const FRAME_RATE = 30

/** Frames in which a card is put on the table. */
const ARRIVAL = [260, 170, 90, 40]

/**
 * Writes a video in which cards are put on the table, one after another: JPEG files in a row, which Chromium's
 * simulated camera repeats. It ends with an empty table.
 *
 * @param seconds of stillness of each card, and of the table at the end
 */
export async function writeCameraVideo(
  path: string,
  pictures: readonly string[],
  seconds: { card: number; end: number },
): Promise<void> {
  const file = Bun.file(path).writer()
  const table = await encodeFrame(undefined)
  const show = (frame: Uint8Array, length: number) => {
    for (let at = 0; at < length * FRAME_RATE; at++) file.write(frame)
  }
  show(table, 0.5)
  for (const [index, picture] of pictures.entries()) {
    // No two cards are put on the same place.
    const placement = { angle: (index % 3) - 1, dx: 4 * (index % 4) - 6 }
    for (const dy of ARRIVAL) file.write(await encodeFrame(picture, { ...placement, dy }))
    show(await encodeFrame(picture, placement), seconds.card)
    await file.flush()
  }
  show(table, seconds.end)
  await file.end()
}

async function encodeFrame(picture: string | undefined, placement?: Placement) {
  return (await renderScene(picture, placement)).jpeg({ quality: 90 }).toBuffer()
}
