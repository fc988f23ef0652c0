import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { lineFormat, normalizeLine } from '#vision/ocr/crop-line.ts'
import { recognizeLines } from '#vision/ocr/recognize.ts'
import { loadBackend } from '#vision/runtime/backend.ts'
import { loadNetwork, type Network } from '#vision/runtime/model.ts'
import { formatShare } from './share.ts'
import type { Row } from './table.ts'

/** Crops of numbers, written by evaluate/number_lines.py of scripts/training. */
const LINES = process.env.LINES ?? join(import.meta.dir, '../data/run/lines')
const MODEL = join(import.meta.dir, '../data/model')

type Label = { file: string; height: number; text: string }
type Reading = { label: Label; text: string; confidence: number }

/**
 * Measures the recognizer alone: exactly read numbers, and the share that can be reported with at most 0.5 % errors.
 */
export async function benchLines(): Promise<Row[]> {
  const file = join(LINES, 'labels.json')
  if (!existsSync(file)) {
    throw new Error(
      'The lines are missing. Render them as described in scripts/training/README.md.',
    )
  }
  const labels = JSON.parse(readFileSync(file, 'utf8')) as Label[]
  await loadBackend()
  const recognizer = await loadNetwork(MODEL, 'recognizer')
  const readings: Reading[] = []
  for (const label of labels) readings.push(await readLine(recognizer, label))
  writeFileSync(join(LINES, 'outcomes.json'), JSON.stringify(readings))
  const heights = [...Map.groupBy(readings, ({ label }) => label.height)]
  return [
    ...heights.flatMap(([height, list]) => rowsOf(`${height} px`, list)),
    ...rowsOf('all heights', readings),
  ]
}

async function readLine(recognizer: Network, label: Label): Promise<Reading> {
  const { data, info } = await sharp(await Bun.file(join(LINES, label.file)).bytes())
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const crop = { width: info.width, height: info.height, data: new Uint8Array(data) }
  const [line] = recognizeLines(recognizer, [normalizeLine(crop, lineFormat(recognizer))])
  const { text = '', confidence = 0, legibility = 0 } = line ?? {}
  return { label, text, confidence: legibility < LEGIBLE_MIN ? 0 : confidence }
}

const LEGIBLE_MIN = 0.5
const WRONG_MAX = 0.005

function rowsOf(where: string, readings: readonly Reading[]): Row[] {
  const exact = readings.filter(isRight).length
  const halves = [0, 1].map((half) => readings.filter((_, index) => index % 2 === half))
  const [one = [], other = []] = halves
  const reported = [...report(other, loosestLimit(one)), ...report(one, loosestLimit(other))]
  const wrong = reported.filter((reading) => !isRight(reading)).length
  const isGoal = where === '14 px'
  return [
    {
      figure: `numbers of ${where} read exactly`,
      ours: formatShare(exact, readings.length),
      ...(isGoal ? { target: '80 %', met: exact / readings.length >= 0.8 } : {}),
    },
    {
      figure: `numbers of ${where} reported at 0.5 % wrong on the other half`,
      ours: `${formatShare(reported.length, readings.length)}; wrong ${formatShare(wrong, reported.length)}`,
      ...(isGoal ? { target: '44 %', met: reported.length / readings.length >= 0.44 } : {}),
    },
  ]
}

function isRight({ label, text }: Reading): boolean {
  return text === label.text
}

const report = (readings: readonly Reading[], limit: number) =>
  readings.filter(({ confidence }) => confidence >= limit)

/** Returns the lowest limit with few enough wrong readings; Infinity if no limit has. */
function loosestLimit(readings: readonly Reading[]): number {
  let [wrong, count, limit] = [0, 0, Number.POSITIVE_INFINITY]
  for (const reading of readings.toSorted((a, b) => b.confidence - a.confidence)) {
    count += 1
    wrong += isRight(reading) ? 0 : 1
    if (wrong / count <= WRONG_MAX) limit = reading.confidence
  }
  return limit
}
