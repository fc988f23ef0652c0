import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from './measure.ts'
import { runPeer, scoreOn, type Tally } from './peers.ts'
import { labelsIn, type Outcome, openJudge, outcomeOf, PHOTOS } from './photos.ts'
import { benchReader } from './reader.ts'
import { benchSearchVectors } from './search-vectors.ts'
import { formatShare, zeroExpected } from './share.ts'
import { formatShort, type Row } from './table.ts'

/**
 * The reader on rendered photos of cards that no network was trained on, among 100,000 other cards;
 * other programs' methods on the same photos; what a photo costs.
 */
export async function benchIdentify(): Promise<Row[]> {
  return [...(await accuracy()), ...(await benchSearchVectors()), ...(await benchReader())]
}

async function accuracy(): Promise<Row[]> {
  const labels = labelsIn(PHOTOS)
  const cards = readdirSync(join(PHOTOS, 'cards')).toSorted()
  const judge = await openJudge(
    cards.map((card) => join(PHOTOS, 'cards', card)),
    PHOTOS,
  )
  // Another program on another core: nothing of this is timed.
  const peers = peersOn(PHOTOS)
  const outcomes: Outcome[] = []
  for (const [index, label] of labels.entries()) {
    outcomes.push(await outcomeOf(judge, PHOTOS, label))
    if (index % 100 === 99) process.stderr.write(`  ${index + 1} of ${labels.length} photos\n`)
  }
  judge.close()
  // For scripts/training/calibrate.py and for looking at what went wrong.
  writeFileSync(join(PHOTOS, 'outcomes.json'), JSON.stringify(outcomes))
  const others = await peers
  return [
    ...cornerRows(outcomes),
    ...[...new Set(outcomes.map(({ label }) => label.slice))].flatMap((slice) =>
      sliceRows(slice, outcomes, others),
    ),
    wrongRow(outcomes),
    { figure: 'cards in the gallery', ours: judge.count.toLocaleString('en-US') },
  ]
}

/** Slice -> least share of right art that is asked for (issue: good light 98, clutter 90, others 94). */
const LEAST: Record<string, number> = { 'good light': 0.98, clutter: 0.9 }
const LEAST_ELSEWHERE = 0.94
/** Slices whose photos show no card of the catalog. */
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
      figure: 'a card of an unseen layout found, 0.2 to 1.0 of the frame, any turn',
      ours: `${formatShare(found.length, photos.length)}; the right way up ${formatShare(upright, photos.length)}`,
      target: '97 %',
      met: found.length / photos.length >= 0.97,
    },
    {
      figure: 'its corners, error in % of the height',
      ours: `median ${formatShort(middle)}, p90 ${formatShort(high)}`,
      target: 'median 0.8, p90 2',
      met: middle <= 0.8 && high <= 2,
    },
  ]
}

/** Corners further off than this are another thing's. */
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
  const right = photos.filter(({ place }) => place === 1).length
  const least = LEAST[slice] ?? LEAST_ELSEWHERE
  const matched = photos.filter(({ status }) => status === 'matched').length
  return [
    {
      figure: `art first, ${slice}`,
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
  const asked = await runPeer('identify.py', folder)
  // Our own script prints exactly this.
  return (asked as { right: Tally } | undefined)?.right ?? {}
}
