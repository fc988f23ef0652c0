import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCandidates, openVocabulary, readPhoto } from '#actions/photos/read-photo.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { isSameNumber } from '#rules/catalog/number-forms.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { sharedTokens } from '#rules/photos/text-match.ts'
import { type ReportedAtLimits, readAtLimits, scoredEvidence } from './calibration-data.ts'
import { percentile } from './measure.ts'
import { prepareScanCatalogs, SCANS } from './photo-catalogs.ts'
import { everyFew } from './photos.ts'
import {
  FOREIGN,
  type Judged,
  type ScanLabel,
  type ScanOutcome,
  WITHIN,
  type Within,
} from './scan-outcomes.ts'
import { drawScanSheet } from './scan-sheet.ts'
import { formatErrors, formatShare, zeroExpected } from './share.ts'
import { formatShort, type Row } from './table.ts'

const CATALOGS: Record<Within, string> = {
  scans: 'only scans',
  among: 'among 120,000 without pictures',
}

const ROOMS = 'rooms'

/**
 * Identifies photos of an independent renderer in a catalog whose pictures are all indexed, and among 120,000
 * real products without pictures, as the service does.
 */
export async function benchScans(): Promise<Row[]> {
  const file = join(SCANS, 'labels.json')
  if (!existsSync(file)) {
    throw new Error(
      'The photos are missing. Render them as described in scripts/training/README.md.',
    )
  }
  const labels = everyFew(JSON.parse(readFileSync(file, 'utf8')) as ScanLabel[])
  const { cards, ...configs } = await prepareScanCatalogs()
  const catalogs = { scans: await openDeps(configs.scans), among: await openDeps(configs.among) }
  const outcomes: ScanOutcome[] = []
  for (const [index, label] of labels.entries()) {
    outcomes.push(await outcomeOf(label, catalogs, cards))
    if (index % 20 === 19) process.stderr.write(`  ${index + 1} of ${labels.length} photos\n`)
  }
  for (const deps of Object.values(catalogs)) await closeDeps(deps)
  // For evaluate/calibrate_reporting.py, evaluate/fit_evidence.py, and for debugging.
  writeFileSync(join(SCANS, 'outcomes.json'), JSON.stringify(outcomes))
  const sheet = await drawScanSheet(outcomes, cards)
  return [
    ...WITHIN.flatMap((within) => catalogRows(outcomes, within)),
    ...costRows(outcomes),
    { figure: 'contact sheet of the failures', ours: sheet },
  ]
}

const SENDER = { network: 'local', payer: 'bench' }

async function outcomeOf(
  label: ScanLabel,
  catalogs: Record<Within, Deps>,
  cards: ReadonlyMap<string, number>,
): Promise<ScanOutcome> {
  const photo = await Bun.file(join(SCANS, label.file)).bytes()
  const [started, before] = [performance.now(), process.cpuUsage()]
  // Reads the photo once: both catalogs have the same pictures.
  const observation = await catalogs.scans.reader.read(photo, { gameId: undefined, sender: SENDER })
  const { user, system } = process.cpuUsage(before)
  const wallMs = performance.now() - started
  const truth = label.scan === null ? undefined : cards.get(label.scan)
  const judge = async (deps: Deps): Promise<Judged> => {
    const reader = { ...deps.reader, read: async () => observation }
    const request = { id: label.file, photo, sender: SENDER, game: undefined, prices: false }
    const { status, candidates } = await readPhoto({ ...deps, reader }, request)
    const { reading, cards: found } = findCandidates(deps.catalog, observation, undefined)
    const top = candidates[0]
    const artOf = (id: number | undefined) =>
      id === undefined ? undefined : deps.catalog.candidates.getByIds([id])[0]?.art_group
    const art = artOf(truth)
    const isCard = top !== undefined && top.card_id === truth
    const isArt = isCard || (typeof art === 'number' && artOf(top?.card_id) === art)
    return {
      status,
      card: top?.card_id,
      isCard,
      isArt,
      name: top?.name ?? '',
      score: top?.score ?? 0,
      truth,
      scored: scoredEvidence(reading, found),
    }
  }
  const { kind, items, quality, neighbors } = observation
  return {
    label,
    wallMs,
    cpuMs: (user + system) / 1000,
    observation: { kind, items, quality, neighbors: neighbors.slice(0, 5) },
    scans: await judge(catalogs.scans),
    among: await judge(catalogs.among),
    reported: reportedOn(label, observation, catalogs.among, truth),
  }
}

/** Sets whose cards have no names in the catalog, and whose scans show no number. */
const UNNAMED = 'pocket/'

/** Compares the read fields with the card; undefined if its print is unknown. */
function reportedOn(
  { scan }: ScanLabel,
  observation: PhotoObservation,
  { catalog: { candidates } }: Deps,
  truth: number | undefined,
): ReportedAtLimits | undefined {
  const [card] = candidates.getByIds(truth === undefined ? [] : [truth])
  if (card === undefined || scan?.startsWith(UNNAMED) !== false) return undefined
  const { reading, cards } = findCandidates({ candidates }, observation, undefined)
  const context = { cards, vocabulary: openVocabulary(candidates, undefined) }
  return readAtLimits(reading, context, (field, value) => {
    if (field === 'number') return isSameNumber(value, card.number ?? '')
    // A card with two names shows one of them in large type.
    if (field === 'name')
      return card.name.split(' // ').some((name) => sharedTokens(value, name) === 1)
    return field === 'set' && value === card.set.code
  })
}

function catalogRows(outcomes: readonly ScanOutcome[], within: Within): Row[] {
  const slices = [...Map.groupBy(outcomes, ({ label }) => label.slice)]
  const plain = outcomes.filter(
    ({ label: { slice } }) => slice !== ROOMS && !FOREIGN.includes(slice),
  )
  const known = outcomes.filter(({ label }) => !FOREIGN.includes(label.slice))
  const { art, matched } = TARGETS[within]
  return [
    ...slices.map(([slice, list]) =>
      FOREIGN.includes(slice)
        ? foreignRow(slice, list, within)
        : sliceRow(slice, list, within, slice === ROOMS ? 0.9 : undefined),
    ),
    sliceRow('all but rooms', plain, within, art),
    {
      figure: `${CATALOGS[within]}: matched, all but rooms`,
      ours: formatShare(count(plain, within, isMatched), plain.length),
      target: `${100 * matched} %`,
      met: count(plain, within, isMatched) / plain.length >= matched,
    },
    wrongRow(known, outcomes, within),
  ]
}

const TARGETS: Record<Within, { art: number; matched: number }> = {
  scans: { art: 0.98, matched: 0.88 },
  among: { art: 0.96, matched: 0.8 },
}

const isMatched = ({ status }: Judged) => status === 'matched'

const count = (list: readonly ScanOutcome[], within: Within, is: (one: Judged) => boolean) =>
  list.filter((outcome) => is(outcome[within])).length

function sliceRow(
  slice: string,
  list: readonly ScanOutcome[],
  within: Within,
  least: number | undefined,
): Row {
  const art = count(list, within, ({ isArt }) => isArt)
  const card = count(list, within, ({ isCard }) => isCard)
  const matched = count(list, within, isMatched)
  return {
    figure: `${CATALOGS[within]}: right art first, ${slice}`,
    ours: `${formatShare(art, list.length)}; the card ${formatShare(card, list.length)}; matched ${formatShare(matched, list.length)}`,
    limit: statuses(list, within),
    ...(least === undefined ? {} : { target: `${100 * least} %`, met: art / list.length >= least }),
  }
}

function foreignRow(slice: string, list: readonly ScanOutcome[], within: Within): Row {
  const { ours, ...rest } = zeroExpected(count(list, within, isMatched), list.length)
  return {
    figure: `${CATALOGS[within]}: matched, ${slice}`,
    ours,
    limit: statuses(list, within),
    ...rest,
  }
}

function statuses(list: readonly ScanOutcome[], within: Within): string {
  const counts = Map.groupBy(list, (outcome) => outcome[within].status)
  return [...counts].map(([status, { length }]) => `${status} ${length}`).join(', ')
}

/** Counts wrong arts and cards that are not in the catalog, and wrong printings with the right art. */
function wrongRow(
  known: readonly ScanOutcome[],
  outcomes: readonly ScanOutcome[],
  within: Within,
): Row {
  const matched = outcomes.filter((outcome) => isMatched(outcome[within]))
  const wrong = matched.filter((outcome) => !outcome[within].isCard).length
  const arts = known.filter((one) => isMatched(one[within]) && !one[within].isArt).length
  return {
    figure: `${CATALOGS[within]}: wrong among the matched`,
    ...zeroExpected(wrong, matched.length),
    limit: `${formatErrors(wrong, matched.length)}; another art ${arts}`,
  }
}

/** Reports the time of photos whose picture is indexed, and of the others. */
function costRows(outcomes: readonly ScanOutcome[]): Row[] {
  const isIndexed = ({ label: { slice } }: ScanOutcome) =>
    slice !== ROOMS && !FOREIGN.includes(slice)
  const others = outcomes.filter((outcome) => !isIndexed(outcome))
  return [
    costRow('whose picture is indexed', outcomes.filter(isIndexed), [550, 1_000]),
    costRow('of a room, of a card that is not indexed, or of none', others, [900, 1_400]),
  ].flat()
}

function costRow(
  which: string,
  outcomes: readonly ScanOutcome[],
  [p50, p95]: readonly [number, number],
): Row[] {
  if (outcomes.length === 0) return []
  const at = (key: 'wallMs' | 'cpuMs', share: number) =>
    percentile(
      outcomes.map((outcome) => outcome[key]),
      share,
    )
  const [middle, slow] = [at('wallMs', 50), at('wallMs', 95)]
  return [
    {
      figure: `reading a photo ${which}, ${outcomes.length} photos, ms`,
      ours: `p50 ${formatShort(middle)}, p95 ${formatShort(slow)}; CPU p50 ${formatShort(at('cpuMs', 50))}, p95 ${formatShort(at('cpuMs', 95))}`,
      target: `p50 ${formatShort(p50)}, p95 ${formatShort(p95)}`,
      met: middle <= p50 && slow <= p95,
    },
  ]
}
