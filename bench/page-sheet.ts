import { join } from 'node:path'
import sharp from 'sharp'

/** A card that was missed, misidentified or reported by mistake. */
export type PageMiss = { photo: string; corners: [number, number][]; text: string }

const SHEET = join(import.meta.dir, 'run/page-failures.png')
const [COLUMNS, WIDTH, PICTURE, TEXT, CELLS_MAX] = [8, 240, 240, 44, 160]

/** Draws a cell for each failure: the photo around the card. Returns the path of the image. */
export async function drawMisses(folder: string, misses: readonly PageMiss[]): Promise<string> {
  if (misses.length === 0) return 'no failures'
  const shown = misses.slice(0, CELLS_MAX)
  const cells = await Promise.all(shown.map((miss, index) => drawCell(folder, miss, index)))
  const height = Math.ceil(shown.length / COLUMNS) * (PICTURE + TEXT)
  const create = { width: COLUMNS * WIDTH, height, channels: 3, background: '#222' } as const
  await sharp({ create }).composite(cells.flat()).png().toFile(SHEET)
  return `${misses.length} failures: ${SHEET}`
}

async function drawCell(folder: string, { photo, corners, text }: PageMiss, index: number) {
  const left = (index % COLUMNS) * WIDTH
  const top = Math.floor(index / COLUMNS) * (PICTURE + TEXT)
  const caption = Bun.escapeHTML(`${photo.replace('photos/', '')}\n${text}`)
  return [
    { input: await cropAround(join(folder, photo), corners), left, top },
    {
      input: {
        text: {
          text: `<span foreground="white">${caption}</span>`,
          width: WIDTH - 8,
          height: TEXT - 6,
          rgba: true,
        },
      },
      left: left + 4,
      top: top + PICTURE,
    },
  ]
}

async function cropAround(path: string, corners: readonly [number, number][]): Promise<Buffer> {
  const picture = sharp(await Bun.file(path).bytes())
  const { width, height } = await picture.metadata()
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const left = Math.max(0, Math.floor(Math.min(...xs)))
  const top = Math.max(0, Math.floor(Math.min(...ys)))
  return picture
    .extract({
      left,
      top,
      width: Math.max(1, Math.min(width, Math.ceil(Math.max(...xs))) - left),
      height: Math.max(1, Math.min(height, Math.ceil(Math.max(...ys))) - top),
    })
    .resize(WIDTH - 4, PICTURE - 4, { fit: 'inside' })
    .png()
    .toBuffer()
}
