import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPhoto } from '#actions/photos/read-photo.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { isSameNumber } from '#rules/catalog/number-forms.ts'
import { sharedTokens } from '#rules/photos/text-match.ts'
import { createPhotoReader } from '#vision/worker/reader.ts'
import { cropCard, drawContactSheet } from './contact-sheet.ts'
import { syncFolder } from './photo-catalogs.ts'
import { everyFew } from './photos.ts'
import { formatErrors, formatShare, zeroExpected } from './share.ts'
import type { Row } from './table.ts'

/** Photos of cards in foreign layouts and of slabs, written by evaluate/ of scripts/training. */
const FOLDERS = {
  layouts: process.env.LAYOUTS ?? join(import.meta.dir, '../data/run/layouts'),
  slabs: process.env.SLABS ?? join(import.meta.dir, '../data/run/slabs'),
}
const RUN = join(import.meta.dir, 'run')

/** Truth of a photo. */
type Label = {
  photo: string
  corners: [number, number][]
  layout: string
  /** Id in the catalog; null if the catalog lacks the card. */
  card: number | null
  /** As the catalog lists it. */
  name: string
  /** As it is printed in large letters. */
  title: string
  number: string
}
/** Truth of a slab; `grade` is null without one. */
type SlabLabel = Label & {
  grader: string
  is_invented: boolean
  grade: string | null
  words: string
}

/** `none` if nothing was reported. */
type Verdict = 'right' | 'wrong' | 'none'
type Field = 'name' | 'number' | 'matched' | 'grade'

type Outcome<L extends Label> = {
  label: L
  answer: Answer
} & Record<Field, Verdict>
type Answer = Awaited<ReturnType<typeof readPhoto>>

/**
 * Reads cards in layouts, fonts and words that no network was trained on, and labels of graders, in catalogs without
 * pictures.
 */
export async function benchLayouts(): Promise<Row[]> {
  const present = (name: keyof typeof FOLDERS) => existsSync(join(FOLDERS[name], 'labels.json'))
  if (!present('layouts') && !present('slabs')) {
    throw new Error(
      'The photos are missing. Render them as described in scripts/training/README.md.',
    )
  }
  return [
    ...(present('layouts') ? layoutRows(await readAll<Label>('layouts')) : []),
    ...(present('slabs') ? slabRows(await readAll<SlabLabel>('slabs')) : []),
  ]
}

async function readAll<L extends Label>(name: keyof typeof FOLDERS): Promise<Outcome<L>[]> {
  const folder = FOLDERS[name]
  const labels = everyFew(JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')) as L[])
  const dataDir = join(RUN, name)
  rmSync(dataDir, { recursive: true, force: true })
  const config = await syncFolder(dataDir, join(folder, 'mirror'), false)
  const deps = await openDeps({ ...config, identifyWorkers: 0 })
  // A busy machine may take longer than the service allows, and nothing is timed.
  const limits = { photoTimeoutMs: 600_000, queueTimeoutMs: 600_000 }
  const { log, catalog } = deps
  const reader = createPhotoReader({ workers: 1, log, pictures: catalog.pictures, limits })
  const outcomes: Outcome<L>[] = []
  for (const [index, label] of labels.entries()) {
    outcomes.push(await outcomeOf({ ...deps, reader }, folder, label))
    if (index % 20 === 19) process.stderr.write(`  ${index + 1} of ${labels.length} ${name}\n`)
  }
  await reader.close()
  await closeDeps(deps)
  writeFileSync(join(RUN, `${name}-outcomes.json`), JSON.stringify(outcomes, undefined, 1))
  await drawFailures(name, outcomes)
  return outcomes
}

async function outcomeOf<L extends Label>(
  deps: Deps,
  folder: string,
  label: L,
): Promise<Outcome<L>> {
  const answer = await readPhoto(deps, {
    id: label.photo,
    photo: await Bun.file(join(folder, label.photo)).bytes(),
    sender: { network: 'local', payer: 'bench' },
    game: undefined,
    prices: false,
  })
  const { read, status, candidates } = answer
  return {
    label,
    answer,
    name: judge(read.name, isNameOf(label)),
    number: judge(read.number, (value) => isSameNumber(value, label.number)),
    matched: judge(
      status === 'matched' ? 'matched' : '',
      () => candidates[0]?.card_id === label.card,
    ),
    grade: judge(read.grade, isGradeOf(label)),
  }
}

function judge(value: string, isRight: (value: string) => boolean): Verdict {
  if (value === '') return 'none'
  return isRight(value) ? 'right' : 'wrong'
}

/** A name with a subtitle may be reported without it. */
const isNameOf =
  ({ name, title }: Label) =>
  (value: string) =>
    [name, title].some((one) => sharedTokens(value, one) === 1)

/** A grader that is not known may be missing, but no grade may have another grader. */
const isGradeOf = (label: Label | SlabLabel) => (value: string) => {
  if (!('grader' in label)) return false
  const [, grader = '', number] = /^(.*?)\s*([0-9]+(?:\.[0-9])?)?$/.exec(value) ?? []
  const other = KNOWN.some((one) => one !== label.grader && grader.toUpperCase().includes(one))
  if (other) return false
  if (number !== undefined) return Number(number) === Number(label.grade ?? Number.NaN)
  return grader.toUpperCase().endsWith(label.words)
}

const KNOWN = ['PSA', 'BGS', 'CGC', 'SGC', 'TAG', 'ACE']

function layoutRows(outcomes: readonly Outcome<Label>[]): Row[] {
  const listed = outcomes.filter(({ label }) => label.card !== null)
  const unlisted = outcomes.filter(({ label }) => label.card === null)
  return [
    ...[...Map.groupBy(listed, ({ label }) => label.layout)].map(([layout, list]) => ({
      figure: `layout ${layout}: name; number; matched`,
      ours: (['name', 'number', 'matched'] as const).map((field) => counts(list, field)).join('; '),
    })),
    ...(['name', 'number'] as const).map((field) =>
      rightRow(`${field} reported, ten layouts`, listed, field, field === 'name' ? 0.85 : 0.75),
    ),
    rightRow('matched, ten layouts', listed, 'matched'),
    wrongRow('wrong names, of those reported', listed, 'name'),
    wrongRow('wrong numbers, of those reported', listed, 'number'),
    matchedRow('layouts', listed, unlisted),
  ]
}

function slabRows(outcomes: readonly Outcome<SlabLabel>[]): Row[] {
  const graded = outcomes.filter(isGraded)
  const groups = Map.groupBy(outcomes, ({ label }) => label.grader)
  return [
    ...[...groups].map(([grader, list]) => ({
      figure: `slab ${grader}: grade; name; number; matched`,
      ours: (['grade', 'name', 'number', 'matched'] as const)
        .map((field) => counts(field === 'grade' ? list.filter(isGraded) : list, field))
        .join('; '),
    })),
    rightRow('grade reported, six graders and three invented', graded, 'grade', 0.9),
    rightRow(
      'grade reported, three invented',
      graded.filter(({ label }) => label.is_invented),
      'grade',
    ),
    // A grade of a card without one is wrong, too.
    wrongRow('wrong grades, of those reported', outcomes, 'grade', 0.005),
    rightRow('name reported, slabs', outcomes, 'name'),
    rightRow('number reported, slabs', outcomes, 'number'),
    rightRow('matched, slabs', outcomes, 'matched'),
    matchedRow('slabs', outcomes, []),
  ]
}

const isGraded = ({ label }: Outcome<Label>) => 'grade' in label && label.grade !== null

const count = (list: readonly Outcome<Label>[], field: Field, verdict: Verdict) =>
  list.filter((outcome) => outcome[field] === verdict).length

/** Formats a field as right, wrong and none. */
function counts(list: readonly Outcome<Label>[], field: Field): string {
  const [right, wrong] = [count(list, field, 'right'), count(list, field, 'wrong')]
  return `${formatShare(right, list.length)}, wrong ${wrong}`
}

function rightRow(
  figure: string,
  list: readonly Outcome<Label>[],
  field: Field,
  least?: number,
): Row {
  const right = count(list, field, 'right')
  return {
    figure,
    ours: formatShare(right, list.length),
    ...(least === undefined
      ? {}
      : { target: `${100 * least} %`, met: right / list.length >= least }),
  }
}

function wrongRow(
  figure: string,
  list: readonly Outcome<Label>[],
  field: Field,
  most = 0.005,
): Row {
  const wrong = count(list, field, 'wrong')
  const reported = wrong + count(list, field, 'right')
  return {
    figure,
    ours: formatErrors(wrong, reported),
    target: `< ${100 * most} %`,
    met: wrong <= most * reported,
  }
}

/** Counts wrong matches, and matches of cards that the catalog lacks. */
function matchedRow(
  what: string,
  listed: readonly Outcome<Label>[],
  unlisted: readonly Outcome<Label>[],
): Row {
  const all = [...listed, ...unlisted]
  const wrong = count(all, 'matched', 'wrong')
  const { ours, ...rest } = zeroExpected(wrong, wrong + count(all, 'matched', 'right'))
  const missing = count(unlisted, 'matched', 'wrong')
  return {
    figure: `wrong among the matched, ${what}`,
    ours,
    limit: `${missing} of ${unlisted.length} cards that the catalog lacks`,
    ...rest,
  }
}

/** Draws photos whose name, number or grade is missing or wrong, and wrong matches. */
async function drawFailures(name: keyof typeof FOLDERS, outcomes: readonly Outcome<Label>[]) {
  const hasFailed = (outcome: Outcome<Label>) =>
    name === 'slabs'
      ? outcome.grade === 'wrong' || (outcome.grade === 'none' && isGraded(outcome))
      : outcome.label.card !== null && (outcome.name !== 'right' || outcome.number !== 'right')
  const failures = outcomes.filter((outcome) => outcome.matched === 'wrong' || hasFailed(outcome))
  if (failures.length === 0) return
  const cells = await Promise.all(
    failures.map(async ({ label, answer: { read, status, candidates } }) => ({
      pictures: [await cropCard(join(FOLDERS[name], label.photo), label.corners)],
      lines: [
        `${label.photo}: ${label.name} · ${label.number}`,
        `read ${read.kind}: ${read.name} · ${read.number} · ${read.set} · ${read.grade}`,
        `${status}: ${candidates[0]?.name ?? ''} ${candidates[0]?.number ?? ''}`,
      ],
    })),
  )
  await drawContactSheet(join(RUN, `${name}-failures.png`), cells)
}
