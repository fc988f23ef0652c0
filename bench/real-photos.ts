import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPhoto } from '#actions/photos/read-photo.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { cleanName } from '#rules/catalog/names.ts'
import { isSameNumber } from '#rules/catalog/number-forms.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { prepareScanCatalogs, SHARED } from './photo-catalogs.ts'
import { formatShare } from './share.ts'
import { formatShort, type Row } from './table.ts'

/** Catalogs in which each photo is looked up. */
const CATALOGS = ['scans', 'among', 'print'] as const
type Within = (typeof CATALOGS)[number]

/** Identifies the available real photos: among the scans, among 120,000 products, and by print alone. */
export async function benchRealPhotos(): Promise<Row[]> {
  if (!existsSync(join(SHARED, 'photos'))) {
    return [{ figure: 'real photos', ours: 'skipped: ../shared/photos does not exist' }]
  }
  const { cards, ...configs } = await prepareScanCatalogs()
  const catalogs = {
    scans: await openDeps(configs.scans),
    among: await openDeps(configs.among),
    print: await openDeps(configs.print),
  }
  const outcomes: Outcome[] = []
  for (const label of labels()) outcomes.push(await outcomeOf(label, catalogs))
  for (const deps of Object.values(catalogs)) await closeDeps(deps)
  const known = (within: Within) => (outcome: Outcome) => isListed(outcome, within)
  return [
    ...outcomes.map(photoRow),
    ...CATALOGS.flatMap((within) => [
      nameRow(outcomes.filter(known(within)), within),
      printingRow(outcomes.filter(known(within)), within),
    ]),
    { figure: 'wrong among the matched', ours: wrongMatches(outcomes) },
  ]
}

type Label = {
  file: string
  name: string
  set: string
  number: string
  expected: string[]
}

/** Ranks start at 1; 0 is missing. */
type Judged = {
  status: string
  message: string | null
  name: number
  card: number
  /** True if the catalog has a card with the name. */
  hasName: boolean
  first: string
}
type Outcome = { label: Label; observation: PhotoObservation; read: string } & Record<
  Within,
  Judged
>

function labels(): Label[] {
  const [, ...lines] = readFileSync(join(SHARED, 'photos/labels.csv'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
      cell.replace(/^"|"$/g, ''),
    )
    const [file = '', , name = '', set = '', number = '', , expected = ''] = cells
    return { file, name, set, number, expected: expected.split('|') }
  })
}

const SENDER = { network: 'local', payer: 'bench' }

async function outcomeOf(label: Label, catalogs: Record<Within, Deps>): Promise<Outcome> {
  const photo = await Bun.file(join(SHARED, 'photos', label.file)).bytes()
  const observation = await catalogs.scans.reader.read(photo, { gameId: undefined, sender: SENDER })
  const answer = (deps: Deps, seen: PhotoObservation) =>
    readPhoto(
      { ...deps, reader: { ...deps.reader, read: async () => seen } },
      { id: label.file, photo, sender: SENDER, game: undefined, prices: false },
    )
  const judge = async (within: Within): Promise<Judged> => {
    const seen = within === 'print' ? { ...observation, neighbors: [] } : observation
    const { status, message, candidates } = await answer(catalogs[within], seen)
    const named = candidates.map(({ name }) => isNamed(name, label))
    const { candidates: all } = catalogs[within].catalog
    const found = all.getByIds(all.findByNames([label.name], { gameId: undefined, limit: 50 }))
    return {
      status,
      message,
      name: 1 + named.indexOf(true),
      card: 1 + candidates.findIndex((card) => isPrinting(card, label)),
      hasName: found.some(({ name }) => isNamed(name, label)),
      first: candidates[0]?.name ?? '',
    }
  }
  const { read } = await answer(catalogs.print, observation)
  return {
    label,
    observation,
    read: `${read.kind}; ${read.name}; ${read.number}`,
    scans: await judge('scans'),
    among: await judge('among'),
    print: await judge('print'),
  }
}

const words = (text: string) => cleanName(text).toLowerCase()

/** Names of the catalog continue with variants, such as "(Full Art)". */
function isNamed(name: string, label: Label): boolean {
  return words(name).startsWith(words(label.name))
}

/** Compares set and number if the label has them. */
function isPrinting(
  card: { name: string; number: string | null; set: { code: string | null; name: string } },
  label: Label,
): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const isSet =
    label.set === '' || card.set.code === label.set || letters(card.set.name) === letters(label.set)
  const isNumber = label.number === '' || isSameNumber(label.number, card.number ?? '')
  return isNamed(card.name, label) && isSet && isNumber
}

/** Returns true if the photo shows one card that is in the catalog. */
function isListed({ label: { name, expected }, ...by }: Outcome, within: Within): boolean {
  const isCard = expected.includes('matched') || expected.includes('ambiguous')
  return name !== '' && isCard && by[within].hasName
}

function photoRow(outcome: Outcome): Row {
  const { label, observation, read } = outcome
  const { name, set, number, expected, file } = label
  const { kind, items, quality } = observation
  return {
    figure: `${file}: ${[name, set, number].filter(Boolean).join(' ')}`,
    ours: CATALOGS.map((within) => `${within} ${describe(outcome[within])}`).join('; '),
    limit: `read ${read}; ${kind ?? 'nothing found'}, ${items} items, ${formatShort(quality?.px_per_mm ?? 0)} px/mm`,
    peer: outcome.among.message ?? '',
    target: expected.join(' or '),
    met: expected.includes(outcome.among.status),
  }
}

const describe = ({ status, name, card, first }: Judged) =>
  `${status} name@${name} card@${card}${name === 1 || first === '' ? '' : ` (${first})`}`

function nameRow(outcomes: readonly Outcome[], within: Within): Row {
  const right = outcomes.filter(({ [within]: { name } }) => name >= 1 && name <= 3).length
  return {
    figure: `${within}: name in the first three`,
    ours: formatShare(right, outcomes.length),
    ...(within === 'print' ? { target: '85 %', met: right / outcomes.length >= 0.85 } : {}),
  }
}

function printingRow(outcomes: readonly Outcome[], within: Within): Row {
  const labeled = outcomes.filter(({ label }) => label.number !== '' || label.set !== '')
  const right = labeled.filter(({ [within]: { card } }) => card === 1).length
  return {
    figure: `${within}: correct printing first, photos whose set is labeled`,
    ours: formatShare(right, labeled.length),
    ...(within === 'print' ? { target: '65 %', met: right / labeled.length >= 0.65 } : {}),
  }
}

function wrongMatches(outcomes: readonly Outcome[]): string {
  const matched = outcomes.flatMap((outcome) =>
    CATALOGS.flatMap((within) =>
      outcome[within].status === 'matched' ? [outcome[within].card === 1] : [],
    ),
  )
  return formatShare(matched.filter((isRight) => !isRight).length, matched.length)
}
