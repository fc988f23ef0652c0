import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { readFields } from '#rules/photos/read-fields.ts'
import { type Judge, openJudge } from './photos.ts'
import { formatShort, type Row } from './table.ts'

/** Scans and photos that are other people's: beside the repository, never in it. */
const SHARED = join(import.meta.dir, '../../shared')

/**
 * Every real photo at hand, with the scans at hand as the catalog: what became of each by its picture,
 * and what is read on it.
 */
export async function benchRealPhotos(): Promise<Row[]> {
  if (!existsSync(join(SHARED, 'photos'))) {
    return [{ figure: 'real photos', ours: 'skipped: ../shared/photos is not here' }]
  }
  const scans = ['dsk', 'evolutions', 'pocket'].flatMap((folder) =>
    readdirSync(join(SHARED, 'scans', folder))
      .toSorted()
      .map((name) => join(SHARED, 'scans', folder, name)),
  )
  const judge = await openJudge(scans)
  const rows: Row[] = []
  for (const label of labels()) rows.push(await rowOf(judge, label))
  judge.close()
  return [...rows, { figure: 'scans in the catalog', ours: String(judge.count) }]
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

async function rowOf(judge: Judge, { file, name, expected, conditions }: Label): Promise<Row> {
  const photo = await Bun.file(join(SHARED, 'photos', file)).bytes()
  const { verdict, reading } = await judge.read(photo)
  const top = verdict.candidates[0]
  const [near] = reading.neighbors
  const told = (cardId: number) => basename(judge.fileOf(cardId) ?? '', '.webp')
  return {
    figure: `${file}, ${name || 'unknown'}: ${conditions}`,
    ours: `${verdict.status}${top === undefined ? '' : ` ${told(top.card.id)}, score ${formatShort(top.score)}`}; ${readOf(reading)}`,
    limit:
      near === undefined
        ? `${reading.kind ?? 'nothing found'}, ${reading.items} items`
        : `${reading.kind}, ${reading.items} items; nearest ${told(near.card_id)}, cosine ${formatShort(near.cosine)}, ${near.distance} bits; corners ${formatShort(reading.quality?.cornerConfidence ?? 0)}`,
    target: expected.join(' or '),
  }
}

/** What is told, and how many lines were sure; the numbers are those of shapes that games are known for. */
function readOf(seen: PhotoObservation): string {
  const { readable, stamp, ...print } = readFields(seen.lines, seen, new Set())
  const told = Object.entries(print).flatMap(([field, text]) =>
    text === '' ? [] : `${field} ${text}`,
  )
  const sure = seen.lines.filter((line) => line.confidence >= 0.95 && line.text.length > 2)
  const others = sure.map(({ text }) => text).join(' | ')
  return `told ${told.join(', ') || 'nothing'}; sure lines: ${others || 'none'}`
}
