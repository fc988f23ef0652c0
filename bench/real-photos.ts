import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { readFields } from '#rules/photos/read-fields.ts'
import { createHarness, type Harness } from './photos.ts'
import { formatShort, type Row } from './table.ts'

/** Scans and photos that belong to others. Not in the repository. */
const SHARED = join(import.meta.dir, '../../shared')

/** Identifies the available real photos among the available scans, and reads their text. */
export async function benchRealPhotos(): Promise<Row[]> {
  if (!existsSync(join(SHARED, 'photos'))) {
    return [{ figure: 'real photos', ours: 'skipped: ../shared/photos does not exist' }]
  }
  const scans = ['dsk', 'evolutions', 'pocket'].flatMap((folder) =>
    readdirSync(join(SHARED, 'scans', folder))
      .toSorted()
      .map((name) => join(SHARED, 'scans', folder, name)),
  )
  const harness = await createHarness(scans)
  const rows: Row[] = []
  for (const label of labels()) rows.push(await evaluateRealPhoto(harness, label))
  harness.close()
  return [...rows, { figure: 'scans in the catalog', ours: String(harness.count) }]
}

type Label = { file: string; name: string; expected: string[]; conditions: string }

function labels(): Label[] {
  const [, ...lines] = readFileSync(join(SHARED, 'photos/labels.csv'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
      cell.replace(/^"|"$/g, ''),
    )
    const [file = '', , name = '', , , , expected = '', conditions = ''] = cells
    return { file, name, conditions, expected: expected.split('|') }
  })
}

async function evaluateRealPhoto(
  harness: Harness,
  { file, name, expected, conditions }: Label,
): Promise<Row> {
  const photo = await Bun.file(join(SHARED, 'photos', file)).bytes()
  const { verdict, reading } = await harness.read(photo)
  const top = verdict.candidates[0]
  const [near] = reading.neighbors
  const nameOf = (cardId: number) => basename(harness.fileOf(cardId) ?? '', '.webp')
  return {
    figure: `${file}, ${name || 'unknown'}: ${conditions}`,
    ours: `${verdict.status}${top === undefined ? '' : ` ${nameOf(top.card.id)}, score ${formatShort(top.score)}`}; ${describeText(reading)}`,
    limit:
      near === undefined
        ? `${reading.kind ?? 'nothing found'}, ${reading.items} items`
        : `${reading.kind}, ${reading.items} items; nearest ${nameOf(near.card_id)}, cosine ${formatShort(near.cosine)}, ${near.distance} bits; corners ${formatShort(reading.quality?.cornerConfidence ?? 0)}`,
    target: expected.join(' or '),
  }
}

/** Describes the fields and the confident lines. Knows no number shapes of a catalog. */
function describeText(observation: PhotoObservation): string {
  const { readable, stamp, ...print } = readFields(observation.lines, observation, new Set())
  const fields = Object.entries(print).flatMap(([field, text]) =>
    text === '' ? [] : `${field} ${text}`,
  )
  const confident = observation.lines.filter(
    (line) => line.confidence >= 0.95 && line.text.length > 2,
  )
  const lines = confident.map(({ text }) => text).join(' | ')
  return `read ${fields.join(', ') || 'nothing'}; confident lines: ${lines || 'none'}`
}
