import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from './measure.ts'
import { runPeer, scoreOn, type Tally } from './peers.ts'
import { createHarness, evaluatePhoto, type Outcome, PHOTOS, readLabels } from './photos.ts'
import { benchReader } from './reader.ts'
import { benchSearchVectors } from './search-vectors.ts'
import { formatShare, zeroExpected } from './share.ts'
import { formatShort, type Row } from './table.ts'

/**
 * Measures accuracy on rendered photos of held-out cards among 100,000 others, compared with the methods of other
 * programs, and the CPU time of a photo.
 */
export async function benchIdentify(): Promise<Row[]> {
  return [...(await accuracy()), ...(await benchSearchVectors()), ...(await benchReader())]
}

async function accuracy(): Promise<Row[]> {
  const labels = readLabels(PHOTOS)
  const cards = readdirSync(join(PHOTOS, 'cards')).toSorted()
  const harness = await createHarness(
    cards.map((card) => join(PHOTOS, 'cards', card)),
    PHOTOS,
  )
  // Runs in parallel, because nothing is timed.
  const peers = peersOn(PHOTOS)
  const outcomes: Outcome[] = []
  for (const [index, label] of labels.entries()) {
    outcomes.push(await evaluatePhoto(harness, PHOTOS, label))
    if (index % 100 === 99) process.stderr.write(`  ${index + 1} of ${labels.length} photos\n`)
  }
  harness.close()
  // For evaluate/calibrate_matching.py of scripts/training, and for debugging.
  writeFileSync(join(PHOTOS, 'outcomes.json'), JSON.stringify(outcomes))
  const others = await peers
  return [
    ...cornerRows(outcomes),
    ...[...new Set(outcomes.map(({ label }) => label.slice))].flatMap((slice) =>
      sliceRows(slice, outcomes, others),
    ),
    wrongRow(outcomes),
    { figure: 'cards in the gallery', ours: harness.count.toLocaleString('en-US') },
  ]
}

/** Required share of right art, by slice. */
const LEAST: Record<string, number> = { 'good light': 0.98, clutter: 0.9 }
const LEAST_ELSEWHERE = 0.94
/** Slices without cards of the catalog. */
const FOREIGN = ['not in the catalog', 'no card']
const UNSEEN = 'unseen layouts'

function cornerRows(outcomes: readonly Outcome[]): Row[] {
  const photos = outcomes.filter(({ label }) => label.slice === UNSEEN)
  if (photos.length === 0) return []
  const found = photos.flatMap(({ corners }) =>
    corners !== undefined && corners.error < FOUND_WITHIN ? [corners] : [],
  )
  const upright = found.filter(({ isUpright }) => isUpright).length
  const errors = found.map(({ error }) => error * 100)
  const [middle, high] = [percentile(errors, 50), percentile(errors, 90)]
  return [
    {
      figure: 'cards of unseen layouts found, 0.2 to 1.0 of the frame, any rotation',
      ours: `${formatShare(found.length, photos.length)}; the right way up ${formatShare(upright, photos.length)}`,
      target: '97 %',
      met: found.length / photos.length >= 0.97,
    },
    {
      figure: 'corner error, % of the height',
      ours: `median ${formatShort(middle)}, p90 ${formatShort(high)}`,
      target: 'median 0.8, p90 2',
      met: middle <= 0.8 && high <= 2,
    },
  ]
}

/** Maximum corner error of a found card. */
const FOUND_WITHIN = 0.15

function sliceRows(slice: string, outcomes: readonly Outcome[], peers: Tally): Row[] {
  const photos = outcomes.filter(({ label }) => label.slice === slice)
  if (slice === UNSEEN) return []
  if (FOREIGN.includes(slice)) {
    const wrong = photos.filter(({ status }) => status === 'matched').length
    return [
      {
        figure: `${slice}: matched`,
        ...zeroExpected(wrong, photos.length),
        peer: statuses(photos),
      },
    ]
  }
  const right = photos.filter(({ rank }) => rank === 1).length
  const least = LEAST[slice] ?? LEAST_ELSEWHERE
  const matched = photos.filter(({ status }) => status === 'matched').length
  return [
    {
      figure: `correct art first, ${slice}`,
      ours: `${formatShare(right, photos.length)}; matched ${formatShort((100 * matched) / photos.length)} %`,
      peer: scoreOn(peers, slice),
      target: `${100 * least} %`,
      met: right / photos.length >= least,
    },
  ]
}

function wrongRow(outcomes: readonly Outcome[]): Row {
  const known = outcomes.filter(({ label }) => label.card !== null)
  const matched = known.filter(({ status }) => status === 'matched')
  const wrong = matched.filter(({ isRight }) => !isRight).length
  return {
    figure: 'wrong among the matched',
    ...zeroExpected(wrong, matched.length),
    target: '< 0.5 %',
  }
}

function statuses(photos: readonly Outcome[]): string {
  const counts = Map.groupBy(photos, ({ status }) => status)
  return [...counts].map(([status, list]) => `${status} ${list.length}`).join(', ')
}

async function peersOn(folder: string): Promise<Tally> {
  const answers = await runPeer('identify.py', folder)
  // Our own script prints exactly this type.
  return (answers as { right: Tally } | undefined)?.right ?? {}
}
