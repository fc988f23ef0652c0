import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type IdentifiedPage, identifyPage } from '#actions/photos/identify-page.ts'
import type { Config } from '#config.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import type { Outline } from '#rules/photos/page-cut.ts'
import { intersectionOverUnion } from '#vision/detect/overlap.ts'
import { createPhotoReader } from '#vision/worker/reader.ts'
import { percentile } from './measure.ts'
import { measurePageServer } from './page-server.ts'
import { drawMisses, type PageMiss } from './page-sheet.ts'
import { prepareScanCatalogs } from './photo-catalogs.ts'
import { everyFew } from './photos.ts'
import { formatErrors, formatShare } from './share.ts'
import { formatShort, type Row } from './table.ts'

/** Folder of the rendered pages. */
export const PAGES = process.env.PAGES ?? join(dirname(import.meta.dir), 'data/run/pages')

/** A rendered page with its ground truth, written by evaluate/pages.py of scripts/training. */
type PageLabel = { photo: string; layout: string; cards: CardLabel[] }

type CardLabel = {
  scan: string | null
  corners: [number, number][]
  /** Share of the card that no other card covers, and share that is inside the photo. */
  visible: number
  inside: number
}

/** Result for a card; undefined if it was not reported. */
type CardOutcome = {
  label: CardLabel
  layout: string
  /** Id of the card in the catalog; undefined if the catalog lacks it. */
  truth: number | undefined
  found: PageAnswer | undefined
}

type PageAnswer = IdentifiedPage['cards'][number]
type PageOutcome = {
  layout: string
  cards: CardOutcome[]
  /** Reported cards at places without a card. */
  falseCards: PageAnswer[]
  count: number
  wallMs: number
  cpuMs: number
}

/**
 * Identifies rendered binder pages, rows, fans, slabs and scattered cards among 1,317 scans, with the code of the
 * service.
 */
export async function benchPages(): Promise<Row[]> {
  const file = join(PAGES, 'labels.json')
  if (!existsSync(file)) {
    throw new Error(
      'The photos are missing. Render them as described in scripts/training/README.md.',
    )
  }
  const labels = everyFew(JSON.parse(readFileSync(file, 'utf8')) as PageLabel[])
  const { cards, scans } = await prepareScanCatalogs()
  const deps = await openPatientDeps(scans)
  const account_id = await addAccount(deps)
  const outcomes: PageOutcome[] = []
  for (const [index, label] of labels.entries()) {
    outcomes.push(await outcomeOf(deps, account_id, label, cards))
    if (index % 10 === 9) process.stderr.write(`  ${index + 1} of ${labels.length} photos\n`)
  }
  await closeDeps(deps)
  const missed = outcomes.flatMap((outcome, index) => missesOf(outcome, labels[index]?.photo ?? ''))
  return [
    ...layoutRows(outcomes),
    ...accuracyRows(outcomes),
    ...costRows(outcomes),
    ...(await measurePageServer(largestOf(labels))),
    { figure: 'contact sheet of the failures', ours: await drawMisses(PAGES, missed) },
  ]
}

/** Opens a reader without timeouts for a busy machine, because the rows report CPU time. */
async function openPatientDeps(config: Config): Promise<Deps> {
  const deps = await openDeps({ ...config, identifyWorkers: 0 })
  const { log, catalog } = deps
  const limits = { photoTimeoutMs: 300_000, pageQueueTimeoutMs: 300_000 }
  const reader = createPhotoReader({ workers: 1, log, pictures: catalog.pictures, limits })
  return { ...deps, reader }
}

async function addAccount({ ledger }: Deps): Promise<number> {
  const account = {
    email: `${crypto.randomUUID()}@pages.example`,
    password_hash: 'none',
    tier: 'business',
  } as const
  const added = await ledger.accounts.create(account, { now: new Date(), address: undefined })
  if (added === undefined) throw new Error('The account of the benchmark was not created.')
  const grant = { account_id: added.id, n: 100_000, ref: account.email }
  await ledger.scans.grant(grant, { now: new Date(), address: undefined })
  return added.id
}

async function identify(deps: Deps, account_id: number, path: string): Promise<IdentifiedPage> {
  const { data } = await identifyPage(deps, {
    account_id,
    address: '127.0.0.1',
    photo: await Bun.file(join(PAGES, path)).bytes(),
    game: undefined,
    prices: false,
    scansMax: 36,
    signal: new AbortController().signal,
  })
  return data
}

async function outcomeOf(
  deps: Deps,
  account_id: number,
  label: PageLabel,
  ids: ReadonlyMap<string, number>,
): Promise<PageOutcome> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  const page = await identify(deps, account_id, label.photo)
  const { user, system } = process.cpuUsage(before)
  const wallMs = performance.now() - started
  const at = (card: CardLabel) =>
    page.cards.find(({ outline }) => isSamePlace(outline, card.corners))
  const isFalse = ({ outline }: PageAnswer) =>
    !label.cards.some(({ corners }) => isSamePlace(outline, corners))
  return {
    layout: label.layout,
    cards: label.cards.map((card) => ({
      label: card,
      layout: label.layout,
      truth: card.scan === null ? undefined : ids.get(card.scan),
      found: at(card),
    })),
    falseCards: page.cards.filter(isFalse),
    count: label.cards.length,
    wallMs,
    cpuMs: (user + system) / 1000,
  }
}

/** Minimum intersection over union of a found card with its true place. */
const SAME_PLACE = 0.7

function isSamePlace(outline: Outline, corners: readonly [number, number][]): boolean {
  const [a, b, c, d] = corners.map(([x, y]) => ({ x, y }))
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false
  return intersectionOverUnion([...outline], [a, b, c, d]) > SAME_PLACE
}

/** Returns true for cards that lie completely inside the photo. */
const isInside = ({ label }: CardOutcome) => label.inside > 0.95
const isFound = ({ found }: CardOutcome) => found !== undefined
const isKnown = ({ truth }: CardOutcome) => truth !== undefined
const isFirst = ({ found, truth }: CardOutcome) => found?.candidates[0]?.card_id === truth

function layoutRows(outcomes: readonly PageOutcome[]): Row[] {
  return [...Map.groupBy(outcomes, ({ layout }) => layout)].map(([layout, pages]) => {
    const cards = pages.flatMap((page) => page.cards).filter(isInside)
    const read = cards.filter(isFound).filter(isKnown)
    const falses = pages.reduce((sum, { falseCards }) => sum + falseCards.length, 0)
    return {
      figure: `${layout}, ${pages.length} photos: cards found`,
      ours: `${formatShare(cards.filter(isFound).length, cards.length)}; correct first ${formatShare(read.filter(isFirst).length, read.length)}; false cards ${falses}`,
      limit: statuses(read),
    }
  })
}

function statuses(cards: readonly CardOutcome[]): string {
  const counts = Map.groupBy(cards, ({ found }) => found?.status ?? 'missing')
  return [...counts].map(([status, list]) => `${status} ${list.length}`).join(', ')
}

function accuracyRows(outcomes: readonly PageOutcome[]): Row[] {
  const cards = outcomes.flatMap((page) => page.cards).filter(isInside)
  const open = cards.filter(({ label }) => label.visible >= 0.69)
  const covered = cards.filter(({ label }) => label.visible >= 0.39 && label.visible < 0.69)
  const half = covered
    .filter(({ label }) => label.visible <= 0.6)
    .filter(isFound)
    .filter(isKnown)
  const read = open.filter(isFound).filter(isKnown)
  const matched = cards.filter(({ found }) => found?.status === 'matched')
  const wrong = matched.filter((card) => !isFirst(card)).length
  const wrongFalse = outcomes
    .flatMap(({ falseCards }) => falseCards)
    .filter(({ status }) => status === 'matched')
  const falses = outcomes.reduce((sum, { falseCards }) => sum + falseCards.length, 0)
  return [
    shareRow('cards found, covered by up to 30 %', open.filter(isFound).length, open.length, 0.98),
    shareRow(
      'cards found, covered by 30 to 60 %',
      covered.filter(isFound).length,
      covered.length,
      0.75,
    ),
    shareRow(
      'correct first of the found, covered by up to 30 %',
      read.filter(isFirst).length,
      read.length,
      0.95,
    ),
    shareRow(
      'correct first of the found, covered by 40 to 60 %',
      half.filter(isFirst).length,
      half.length,
      0.75,
    ),
    {
      figure: 'wrong among the matched, false cards included',
      ours: formatErrors(wrong + wrongFalse.length, matched.length + wrongFalse.length),
      target: '< 0.5 %',
      met: (wrong + wrongFalse.length) / Math.max(1, matched.length) < 0.005,
    },
    {
      figure: 'false cards',
      ours: `${falses} in ${outcomes.length} photos`,
      target: '< 1 in 100',
      met: falses / outcomes.length < 0.01,
    },
  ]
}

function shareRow(figure: string, hits: number, count: number, target: number): Row {
  return {
    figure,
    ours: formatShare(hits, count),
    target: `${100 * target} %`,
    met: count > 0 && hits / count >= target,
  }
}

/** Limits of the groups by number of cards. */
const SIZES = [
  [0, 0],
  [1, 5],
  [6, 9],
  [10, 15],
  [16, 36],
] as const

function costRows(outcomes: readonly PageOutcome[]): Row[] {
  return SIZES.flatMap(([low, high]) => {
    const pages = outcomes.filter(({ count }) => count >= low && count <= high)
    if (pages.length === 0) return []
    const at = (key: 'cpuMs' | 'wallMs', share: number) =>
      formatShort(
        percentile(
          pages.map((page) => page[key]),
          share,
        ),
      )
    const isTarget = low === 6
    const p50 = percentile(
      pages.map(({ cpuMs }) => cpuMs),
      50,
    )
    return [
      {
        figure: `a photo with ${low} to ${high} cards, ${pages.length} photos, ms of CPU`,
        ours: `p50 ${at('cpuMs', 50)}, p95 ${at('cpuMs', 95)}; elapsed p50 ${at('wallMs', 50)}, p95 ${at('wallMs', 95)}`,
        ...(isTarget ? { target: 'nine cards 2,500 ms', met: p50 <= 2_500 } : {}),
      },
    ]
  })
}

/** Returns the two photos with the most cards. */
function largestOf(labels: readonly PageLabel[]): string[] {
  const largest = labels.toSorted((one, other) => other.cards.length - one.cards.length)
  return largest.slice(0, 2).map(({ photo }) => join(PAGES, photo))
}

function missesOf({ cards, falseCards }: PageOutcome, photo: string): PageMiss[] {
  const wrong = cards.filter((card) => isInside(card) && isKnown(card) && !isFirst(card))
  return [
    ...wrong.map(({ label, found }) => ({
      photo,
      corners: label.corners,
      text: found === undefined ? `missed, ${label.visible} visible` : `${found.status}, not first`,
    })),
    ...falseCards.map(({ outline, status }) => ({
      photo,
      corners: outline.map(({ x, y }): [number, number] => [x, y]),
      text: `false card: ${status}`,
    })),
  ]
}
