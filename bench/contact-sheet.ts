import sharp, { type CreateText, type Sharp } from 'sharp'

const [COLUMNS, CELL_WIDTH, PICTURE_HEIGHT, TEXT_HEIGHT] = [4, 420, 240, 76]
const CELL_HEIGHT = PICTURE_HEIGHT + TEXT_HEIGHT

/** A failure: pictures side by side (undefined leaves a gap), and what became of it. */
export type Cell = { pictures: readonly (Sharp | undefined)[]; lines: readonly string[] }

/** Draws a cell for each failure, and writes the picture to a file. */
export async function drawContactSheet(file: string, cells: readonly Cell[]): Promise<void> {
  const drawn = await Promise.all(cells.map(drawCell))
  const tiles = drawn.flatMap((parts, index) =>
    parts.map(({ input, left, top }) => ({
      input,
      left: Math.floor(left) + (index % COLUMNS) * CELL_WIDTH,
      top: top + Math.floor(index / COLUMNS) * CELL_HEIGHT,
    })),
  )
  const height = Math.ceil(cells.length / COLUMNS) * CELL_HEIGHT
  const create = { width: COLUMNS * CELL_WIDTH, height, channels: 3, background: '#222' } as const
  await sharp({ create }).composite(tiles).png().toFile(file)
}

type Part = { input: Buffer | { text: CreateText }; left: number; top: number }

async function drawCell({ pictures, lines }: Cell): Promise<Part[]> {
  const width = CELL_WIDTH / pictures.length
  const parts = pictures.flatMap((picture, column) =>
    picture === undefined ? [] : [drawPicture(picture, column * width, width)],
  )
  return [...(await Promise.all(parts)), { input: textOf(lines), left: 4, top: PICTURE_HEIGHT }]
}

async function drawPicture(picture: Sharp, left: number, width: number): Promise<Part> {
  const input = await picture
    .resize(Math.floor(width) - 4, PICTURE_HEIGHT - 4, { fit: 'inside' })
    .png()
    .toBuffer()
  return { input, left, top: 0 }
}

function textOf(lines: readonly string[]) {
  const rows = lines.map((line) => Bun.escapeHTML(line))
  const text = `<span foreground="white">${rows.join('\n')}</span>`
  return { text: { text, width: CELL_WIDTH - 8, height: TEXT_HEIGHT - 4, rgba: true } }
}

/** Opens a picture. The pipeline lets sharp read only from memory. */
export const openPicture = async (path: string) => sharp(await Bun.file(path).bytes())

/** Returns the part of a photo around its card, or the whole photo. */
export async function cropCard(path: string, corners: readonly [number, number][] | null) {
  const photo = await openPicture(path)
  if (corners === null) return photo
  const { width, height } = await photo.metadata()
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const margin = 0.1 * (Math.max(...ys) - Math.min(...ys))
  const left = Math.max(0, Math.floor(Math.min(...xs) - margin))
  const top = Math.max(0, Math.floor(Math.min(...ys) - margin))
  return photo.extract({
    left,
    top,
    width: Math.min(width, Math.ceil(Math.max(...xs) + margin)) - left,
    height: Math.min(height, Math.ceil(Math.max(...ys) + margin)) - top,
  })
}
