import { join } from 'node:path'
import { cropCard, drawContactSheet, openPicture } from './contact-sheet.ts'
import { SCANS, SHARED } from './photo-catalogs.ts'
import { describeAnswer, failuresOf, type ScanOutcome } from './scan-outcomes.ts'

const SHEET = join(import.meta.dir, 'run/scan-failures.png')

/**
 * Draws a cell for each failure: the photo around its card, the expected scan, the reported scan, and the verdicts.
 * Returns the path of the picture.
 */
export async function drawScanSheet(
  outcomes: readonly ScanOutcome[],
  cards: ReadonlyMap<string, number>,
): Promise<string> {
  const failures = failuresOf(outcomes)
  if (failures.length === 0) return 'no failures'
  const scans = new Map([...cards].map(([scan, id]) => [id, scan]))
  const cells = await Promise.all(failures.map((one) => cellOf(one, scans)))
  await drawContactSheet(SHEET, cells)
  return `${failures.length} of ${outcomes.length}: ${SHEET}`
}

async function cellOf(outcome: ScanOutcome, scans: ReadonlyMap<number, string>) {
  const { label, scans: alone, among } = outcome
  const answered = among.card ?? alone.card
  const answer = answered === undefined ? undefined : scans.get(answered)
  const scan = async (path: string | null | undefined) =>
    path ? await openPicture(join(SHARED, 'scans', path)) : undefined
  return {
    pictures: [
      await cropCard(join(SCANS, label.file), label.corners),
      await scan(label.scan),
      await scan(answer),
    ],
    lines: describeAnswer(outcome),
  }
}
