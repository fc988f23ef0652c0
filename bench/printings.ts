import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCandidates, openVocabulary, readPhoto } from '#actions/photos/read-photo.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import type { PhotoObservation, PhotoReading } from '#rules/photos/photo-reading.ts'
import { matchNumbers, sharedTokens } from '#rules/photos/text-match.ts'
import { openPictureIndex } from '#store/open-catalog-writer.ts'
import { embedderVersion } from '#vision/retrieval/embedder-version.ts'
import {
  type ReportedAtLimits,
  readAtLimits,
  type ScoredEvidence,
  scoredEvidence,
} from './calibration-data.ts'
import { syncFolder } from './photo-catalogs.ts'
import { everyFew, PHOTOS, readGallery } from './photos.ts'
import {
  firstByPeers,
  firstByPrint,
  type PrintingPeers,
  peersOn,
  readByPeers,
} from './printing-peers.ts'
import { formatShare, zeroExpected } from './share.ts'
import { formatShort, type Row } from './table.ts'

/** Rendered photos of cards with known text, written by evaluate/printings.py of scripts/training. */
const PRINTINGS = process.env.PRINTINGS ?? join(import.meta.dir, '../data/run/printings')
const DATA = join(import.meta.dir, 'run/printings')

/** A rendered photo with its ground truth. */
type Label = {
  photo: string
  slice: string
  /** Id in the catalog; null if the catalog lacks the card. */
  card: number | null
  px_per_mm: number
  name: string
  number: string
  code: string
  /** Grading company of a slab. */
  grader: string | null
  grade: string | null
}

type Answer = Awaited<ReturnType<typeof readPhoto>>
/** Results with and without indexed pictures in the catalog. */
type Outcome = { label: Label; reading: PhotoReading; reported: ReportedAtLimits } & Record<
  Mode,
  Answer & { scored: ScoredEvidence }
>
type Mode = 'withPictures' | 'byPrint'

/**
 * Measures OCR and identification with a catalog with pictures and one without. Fonts, layouts and words were not
 * used in training.
 */
export async function benchPrintings(): Promise<Row[]> {
  const file = join(PRINTINGS, 'labels.json')
  if (!existsSync(file)) {
    throw new Error(
      'The photos are missing. Render them as described in scripts/training/README.md.',
    )
  }
  const labels = everyFew(JSON.parse(readFileSync(file, 'utf8')) as Label[])
  const [withPictures, byPrint] = [
    await openCatalogIn('pictures', true),
    await openCatalogIn('print', false),
  ]
  // Runs in parallel, because nothing is timed.
  const peerResults = peersOn(PRINTINGS)
  const outcomes: Outcome[] = []
  for (const [index, label] of labels.entries()) {
    outcomes.push(await outcomeOf(label, withPictures, byPrint))
    if (index % 100 === 99) process.stderr.write(`  ${index + 1} of ${labels.length} photos\n`)
  }
  await closeDeps(withPictures)
  await closeDeps(byPrint)
  // For evaluate/fit_evidence.py, evaluate/calibrate_reporting.py, and for debugging.
  writeFileSync(join(PRINTINGS, 'outcomes.json'), JSON.stringify(outcomes.map(withoutCtc)))
  // Every second photo is for fitting, the others for testing.
  const test = outcomes.filter((_, index) => index % 2 === 1)
  const peers = await peerResults
  return [
    ...numberRows(test, peers),
    ...printingRows(test, peers),
    ...slabRows(test),
    ...foreignRows(test),
    scoreRow(test),
  ]
}

/** Creates a data folder with a catalog of the printed cards. */
async function openCatalogIn(folder: string, isIndexed: boolean): Promise<Deps> {
  const dataDir = join(DATA, folder)
  rmSync(dataDir, { recursive: true, force: true })
  const config = await syncFolder(dataDir, join(PRINTINGS, 'mirror'), isIndexed)
  if (isIndexed) addGalleryPictures(dataDir)
  return await openDeps(config)
}

/** Game and first id of the cards without photos (evaluate/printings.py). */
const GAME = 9_100
const OTHERS = 100_000
const OTHERS_COUNT = 20_000

/** Adds gallery pictures to the cards without photos, because almost every card of an indexed catalog has a picture. */
function addGalleryPictures(dataDir: string): void {
  const gallery = readGallery(PHOTOS)
  if (gallery.count === 0) {
    process.stderr.write('  no gallery: only the photographed cards have pictures\n')
    return
  }
  const index = openPictureIndex(dataDir)
  if (index === undefined) throw new Error('Another process is indexing the pictures.')
  const model = embedderVersion()
  const now = new Date()
  const never = Number.MAX_SAFE_INTEGER
  for (let row = 0; row < OTHERS_COUNT; row++) {
    const look = { card_id: OTHERS + row, game_id: GAME, image_url: `${row}.webp`, model, now }
    const picture = { vector: gallery.vectorAt(row), hash: gallery.hashAt(row), etag: null }
    index.put(look, picture, [], never)
  }
  index.close()
}

const SENDER = { network: 'local', payer: 'bench' }

async function outcomeOf(label: Label, withPictures: Deps, byPrint: Deps): Promise<Outcome> {
  const photo = await Bun.file(join(PRINTINGS, label.photo)).bytes()
  const observation = await withPictures.reader.read(photo, { gameId: undefined, sender: SENDER })
  const request = { id: label.photo, photo, sender: SENDER, game: undefined, prices: false }
  // The photo is read once: without pictures, only the neighbors are missing from the observation.
  const identify = async (deps: Deps, observation: PhotoObservation) => {
    const { reading, cards } = findCandidates(deps.catalog, observation, undefined)
    const answer = await readPhoto(
      { ...deps, reader: { ...deps.reader, read: async () => observation } },
      request,
    )
    return { ...answer, scored: scoredEvidence(reading, cards) }
  }
  const { reading, cards } = findCandidates(withPictures.catalog, observation, undefined)
  const { candidates } = withPictures.catalog
  const context = { cards, vocabulary: openVocabulary(candidates, undefined) }
  return {
    label,
    reading,
    reported: readAtLimits(reading, context, (field, value) => isFieldRight(label, field, value)),
    withPictures: await identify(withPictures, observation),
    byPrint: await identify(byPrint, { ...observation, neighbors: [] }),
  }
}

function withoutCtc({ reading, ...outcome }: Outcome) {
  const lines = reading.lines.map(({ ctc, ...line }) => line)
  return { ...outcome, reading: { ...reading, lines } }
}

function numberRows(outcomes: readonly Outcome[], peers: PrintingPeers): Row[] {
  const dense = outcomes.filter(({ label }) => label.px_per_mm >= 7 && isPlain(label))
  const coarse = outcomes.filter(({ label }) => label.slice === '5.5 to 7 px/mm')
  return [
    numberRow('at 7 px/mm and more', dense, 0.97, peers),
    numberRow('at 5.5 to 7 px/mm', coarse, 0.9, peers),
    reportedRow(dense),
    wrongNumberRow(outcomes.filter(({ label }) => label.grader === null)),
  ]
}

const isPlain = ({ slice }: Label) => slice === 'good light' || slice.startsWith('siblings')

function numberRow(
  where: string,
  outcomes: readonly Outcome[],
  least: number,
  peers: PrintingPeers,
): Row {
  const right = outcomes.filter(isNumberRight).length
  const names = outcomes.filter(({ label, reading: { print } }) => print.name === label.name).length
  return {
    figure: `number read exactly, ${where}`,
    ours: `${formatShare(right, outcomes.length)}; name ${formatShare(names, outcomes.length)}`,
    peer: readByPeers(peers, where),
    target: `${100 * least} %`,
    met: right / outcomes.length >= least,
  }
}

const isNumberRight = ({ label, reading: { print } }: Outcome) =>
  isFieldRight(label, 'number', print.number)

/** Compares a field that was read with the print. */
function isFieldRight(
  { name, number, code, grader, grade }: Label,
  field: 'name' | 'number' | 'set' | 'grade',
  value: string,
): boolean {
  if (field === 'name') return sharedTokens(value, name) === 1
  if (field === 'grade') return value === `${grader} ${grade}`
  // The number contains the set's code, even if the catalog uses another name for the set.
  if (field === 'set') return value === code || number.startsWith(value)
  // "LTS EN 012/198" has a code, a language and a number.
  const words = number.split(/[\s•★]+/).filter((word) => /[0-9]/.test(word))
  return [number, words.join(''), number.replace(code, ''), ...words].some(
    (printed) => matchNumbers(value, printed) === 'exact',
  )
}

function reportedRow(outcomes: readonly Outcome[]): Row {
  const reported = outcomes.filter(({ reading: { print } }) => print.readable.number).length
  return {
    figure: 'the number reported, at 7 px/mm and more',
    ours: formatShare(reported, outcomes.length),
    target: '60 %',
    met: reported / outcomes.length >= 0.6,
  }
}

function wrongNumberRow(outcomes: readonly Outcome[]): Row {
  const read = outcomes.filter(({ reading: { print } }) => print.readable.number)
  const wrong = read.filter((outcome) => !isNumberRight(outcome)).length
  return {
    figure: 'wrong numbers, of all numbers read',
    ours: formatShare(wrong, read.length),
    target: '< 0.5 %',
    met: wrong / read.length < 0.005,
  }
}

function printingRows(outcomes: readonly Outcome[], peers: PrintingPeers): Row[] {
  const slices = [...new Set(outcomes.map(({ label }) => label.slice))]
  const known = slices.filter((slice) =>
    outcomes.some(({ label }) => label.slice === slice && label.card !== null),
  )
  const all = outcomes.filter(({ label }) => label.card !== null)
  return [
    ...known.map((slice) => {
      const photos = outcomes.filter(({ label }) => label.slice === slice)
      const least = LEAST[slice]
      const right = rightOf(photos, 'withPictures')
      return {
        figure: `correct printing first, pictures and print, ${slice}`,
        ours: summary(photos, 'withPictures'),
        peer: firstByPeers(peers, slice),
        ...(least === undefined
          ? {}
          : { target: `${100 * least} %`, met: right / photos.length >= least }),
      }
    }),
    printRow('good light', outcomes, peers),
    wrongMatchRow('pictures and print', all, 'withPictures'),
    wrongMatchRow('print alone', all, 'byPrint'),
  ]
}

/** Minimum shares. */
const LEAST: Record<string, number> = {
  'good light': 0.95,
  'siblings, another frame': 0.9,
  'siblings, the same frame': 0.9,
}

function printRow(slice: string, outcomes: readonly Outcome[], peers: PrintingPeers): Row {
  const photos = outcomes.filter(({ label }) => label.slice === slice)
  return {
    figure: `correct printing first, no pictures in the catalog, ${slice}`,
    ours: summary(photos, 'byPrint'),
    peer: firstByPrint(peers, slice),
    target: '95 %',
    met: rightOf(photos, 'byPrint') / photos.length >= 0.95,
  }
}

function summary(photos: readonly Outcome[], by: Mode): string {
  const matched = photos.filter((outcome) => outcome[by].status === 'matched').length
  return `${formatShare(rightOf(photos, by), photos.length)}; matched ${formatShort((100 * matched) / photos.length)} %`
}

function rightOf(photos: readonly Outcome[], by: Mode): number {
  return photos.filter((outcome) => outcome[by].candidates[0]?.card_id === outcome.label.card)
    .length
}

function wrongMatchRow(how: string, photos: readonly Outcome[], by: Mode): Row {
  const matched = photos.filter((outcome) => outcome[by].status === 'matched')
  const wrong = matched.length - rightOf(matched, by)
  return {
    figure: `wrong among the matched, ${how}`,
    ...zeroExpected(wrong, matched.length),
    target: '< 0.5 %',
  }
}

function slabRows(outcomes: readonly Outcome[]): Row[] {
  const slabs = outcomes.filter(({ label }) => label.grader !== null)
  const kind = slabs.filter(({ reading }) => reading.kind === 'graded slab').length
  const grades = slabs.map(({ label, reading: { print } }) => {
    const [grader, grade] = print.grade.split(' ')
    return {
      isGrader: grader === label.grader,
      isGrade: grade === label.grade,
      isBoth: grader === label.grader && grade === label.grade,
      isRead: grade !== undefined,
    }
  })
  const count = (is: (of: (typeof grades)[number]) => boolean) => grades.filter(is).length
  const row = (figure: string, hits: number, least: number): Row => ({
    figure,
    ours: formatShare(hits, slabs.length),
    target: `${100 * least} %`,
    met: hits / slabs.length >= least,
  })
  const wrong = count(({ isRead, isGrade }) => isRead && !isGrade)
  return [
    row('slabs detected', kind, 0.97),
    row(
      'its grader',
      count(({ isGrader }) => isGrader),
      0.95,
    ),
    row(
      'its grade',
      count(({ isGrade }) => isGrade),
      0.95,
    ),
    row(
      'its grader and its grade',
      count(({ isBoth }) => isBoth),
      0.85,
    ),
    {
      figure: 'a wrong grade',
      ours: formatShare(wrong, slabs.length),
      target: '< 1 %',
      met: wrong / slabs.length < 0.01,
    },
  ]
}

function foreignRows(outcomes: readonly Outcome[]): Row[] {
  const photos = outcomes.filter(({ label }) => label.card === null)
  return [...Map.groupBy(photos, ({ label }) => label.slice)].map(([slice, list]) => {
    const matched = list.filter(({ withPictures, byPrint }) =>
      [withPictures, byPrint].some(({ status }) => status === 'matched'),
    ).length
    const honest = list.filter(({ withPictures: { status } }) =>
      ['not_found', 'unsupported', 'retake'].includes(status),
    ).length
    return {
      figure: `${slice}: matched, and reported as unknown`,
      ours: `${matched}; ${formatShare(honest, list.length)}`,
      target: '0; 95 %',
      met: matched === 0 && honest / list.length >= 0.95,
    }
  })
}

const BINS = 10

/** Expected calibration error: the mean difference between the top score and the share of right answers. */
function scoreRow(outcomes: readonly Outcome[]): Row {
  const tops = outcomes.flatMap(({ label, withPictures: { candidates } }) => {
    const [top] = candidates
    return top === undefined ? [] : [{ score: top.score, isRight: top.card_id === label.card }]
  })
  const bins = Map.groupBy(tops, ({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)))
  const errors = [...bins.values()].map((bin) => {
    const expected = bin.reduce((sum, { score }) => sum + score, 0)
    const right = bin.filter(({ isRight }) => isRight).length
    return Math.abs(expected - right)
  })
  const error = errors.reduce((sum, one) => sum + one, 0) / tops.length
  return {
    figure: 'expected calibration error of the top score',
    ours: `${formatShort(error)} of ${tops.length}`,
    target: '0.04',
    met: error <= 0.04,
  }
}
