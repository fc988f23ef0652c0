import { join } from 'node:path'
import sharp, { type CreateText } from 'sharp'
import { SCANS, SHARED } from './photo-catalogs.ts'
import { describeAnswer, failuresOf, type ScanOutcome } from './scan-outcomes.ts'

const SHEET = join(import.meta.dir, 'run/scan-failures.png')
const [COLUMNS, CELL_WIDTH, PICTURE_HEIGHT, TEXT_HEIGHT] = [4, 420, 240, 76]
const CELL_HEIGHT = PICTURE_HEIGHT + TEXT_HEIGHT
const THIRD = CELL_WIDTH / 3

/**
 * Draws a cell for each failure: the photo around its card, the expected scan, the reported scan, and the verdicts.
 * Returns the path of the picture.
 */
export async function drawContactSheet(
  outcomes: readonly ScanOutcome[],
  cards: ReadonlyMap<string, number>,
): Promise<string> {
  const failures = failuresOf(outcomes)
  if (failures.length === 0) return 'no failures'
  const scans = new Map([...cards].map(([scan, id]) => [id, scan]))
  const cells = await Promise.all(failures.map((one) => drawCell(one, scans)))
  const tiles = cells.flatMap((parts, index) =>
    parts.map(({ input, left, top }) => ({
      input,
      left: left + (index % COLUMNS) * CELL_WIDTH,
      top: top + Math.floor(index / COLUMNS) * CELL_HEIGHT,
    })),
  )
  const height = Math.ceil(failures.length / COLUMNS) * CELL_HEIGHT
  const create = { width: COLUMNS * CELL_WIDTH, height, channels: 3, background: '#222' } as const
  await sharp({ create }).composite(tiles).png().toFile(SHEET)
  return `${failures.length} of ${outcomes.length}: ${SHEET}`
}

type Part = { input: Buffer | { text: CreateText }; left: number; top: number }

async function drawCell(outcome: ScanOutcome, scans: ReadonlyMap<number, string>): Promise<Part[]> {
  const { label, scans: alone, among } = outcome
  const answered = among.card ?? alone.card
  const answer = answered === undefined ? undefined : scans.get(answered)
  const scan = async (path: string | null | undefined) =>
    path ? [await open(join(SHARED, 'scans', path))] : []
  const pictures = [[await cropPhoto(label)], await scan(label.scan), await scan(answer)]
  const parts = pictures.flatMap((list, column) =>
    list.map(async (picture) => ({
      input: await picture
        .resize(THIRD - 4, PICTURE_HEIGHT - 4, { fit: 'inside' })
        .png()
        .toBuffer(),
      left: column * THIRD,
      top: 0,
    })),
  )
  return [...(await Promise.all(parts)), { input: textOf(outcome), left: 4, top: PICTURE_HEIGHT }]
}

/** The pipeline lets sharp read only from memory. */
const open = async (path: string) => sharp(await Bun.file(path).bytes())

/** Returns the part of the photo around its card, or the whole photo. */
async function cropPhoto({ file, corners }: ScanOutcome['label']) {
  const photo = await open(join(SCANS, file))
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

function textOf(outcome: ScanOutcome) {
  const rows = describeAnswer(outcome).map((line) => Bun.escapeHTML(line))
  const text = `<span foreground="white">${rows.join('\n')}</span>`
  return { text: { text, width: CELL_WIDTH - 8, height: TEXT_HEIGHT - 4, rgba: true } }
}
