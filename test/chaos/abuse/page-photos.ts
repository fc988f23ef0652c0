import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { SAMPLE } from '../../support/test-app.ts'

const SIDE = 6
const CARD = { width: 440, height: 615 }
const GAP = 40
const TABLE = '#6f6256'

/** Generates a page of 36 cards that the catalog lacks, and a page without a card. */
export async function generatePagePhotos(): Promise<Uint8Array<ArrayBuffer>[]> {
  const folder = join(SAMPLE, 'pictures')
  const pictures = readdirSync(folder)
    .filter((name) => name.endsWith('.webp'))
    .slice(0, SIDE * SIDE)
  const cards = await Promise.all(
    pictures.map(async (name, index) => ({
      // In other colors, so that no picture of the catalog is similar.
      input: await sharp(readFileSync(join(folder, name)))
        .resize(CARD.width, CARD.height, { fit: 'fill' })
        .removeAlpha()
        .negate()
        .flop()
        .png()
        .toBuffer(),
      left: GAP + (index % SIDE) * (CARD.width + GAP),
      top: GAP + Math.floor(index / SIDE) * (CARD.height + GAP),
    })),
  )
  const page = sharp({ create: { ...PAGE, channels: 3, background: TABLE } })
  const empty = page.clone()
  return [await encode(page.composite(cards)), await encode(empty)]
}

const PAGE = {
  width: GAP + SIDE * (CARD.width + GAP),
  height: GAP + SIDE * (CARD.height + GAP),
}

async function encode(picture: Sharp): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await picture.jpeg({ quality: 85 }).toBuffer())
}
