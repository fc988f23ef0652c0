// Rate of real cards that are found by their names, exact and misspelled. The results are printed
// per game and kind of change.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NameItem, NameMatch, NameMiss } from '#actions/matching/name-index.ts'
import { resolveList } from '#actions/matching/resolve-list.ts'
import { resolveNames } from '#actions/matching/resolve-names.ts'
import { printedNames } from '#rules/catalog/names.ts'
import { isNumberWithoutCode, isSameNumber } from '#rules/catalog/number-forms.ts'
import { listSetCodes, type SetLabels } from '#rules/catalog/set-codes.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { openDatabase } from '#store/db.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { sizedFor } from '../../support/chaos.ts'
import { countTurns } from '../../support/event-loop-turns.ts'
import { RECORDED_SYNC_MS_MAX, recordedCatalog } from '../../support/sync/real-upstream.ts'
import { DECK_FORMATS, type ListedCard, writeDeckList } from './deck-lists.ts'

const recorded = recordedCatalog(import.meta.path)
afterAll(() => recorded?.remove(), 60_000)

const CARDS_REQUESTED = sizedFor(500, 2_000)

/** Applies one small mistake to a name. `pick` is a number below its argument. */
type Change = (name: string, pick: (below: number) => number) => string

const CHANGES: Record<string, Change> = {
  'one letter dropped': (name, pick) => atLetter(name, pick, () => ''),
  'one letter doubled': (name, pick) => atLetter(name, pick, (letter) => letter + letter),
  'without accents': (name) =>
    name
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize(),
  // A Thai vowel is a combining mark, not punctuation.
  'without punctuation': (name) => name.replace(/[^\p{L}\p{M}\p{N}\s]/gu, ''),
  'lower case': (name) => name.toLowerCase(),
}

function atLetter(
  name: string,
  pick: (below: number) => number,
  change: (letter: string) => string,
): string {
  const places = [...name.matchAll(/\p{L}/gu)].map(({ index }) => index)
  const at = places[pick(places.length)]
  if (at === undefined) return name
  return name.slice(0, at) + change(name[at] ?? '') + name.slice(at + 1)
}

/** Returns numbers below their argument, the same in every run. */
function openPick(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 0x1_0000_0000) * below)
  }
}

type Card = { id: number; name: string; game: string }

/** Number of queries, of found cards, and of cards that are the match itself. */
type Tally = { requested: number; found: number; matched: number }

describe.skipIf(recorded === undefined)('with a real catalog', () => {
  const dataDir = recorded?.dataDir ?? ''
  let catalog: Catalog
  let cards: Card[]
  let nameOf: Map<number, string>
  let numbered: (SetLabels & { card_name: string; number: string })[]

  beforeAll(async () => {
    await recorded?.sync()
    catalog = openCatalog(dataDir, (url) => url)
    const db = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
    cards = db
      .prepare<[], Card>(
        `SELECT cards.id, cards.name, slug AS game FROM cards JOIN games ON games.id = game_id
          ORDER BY cards.id`,
      )
      .all()
    numbered = db
      .prepare<[], SetLabels & { card_name: string; number: string }>(
        `SELECT cards.name AS card_name, number, abbreviation, sets.name, games.slug AS game_slug
           FROM cards JOIN sets ON sets.id = set_id JOIN games ON games.id = cards.game_id
          WHERE number IS NOT NULL ORDER BY cards.id`,
      )
      .all()
    db.close()
    nameOf = new Map(cards.map(({ id, name }) => [id, name]))
  }, RECORDED_SYNC_MS_MAX)

  afterAll(() => catalog?.close())

  const someOf = (among: readonly Card[], pick: (below: number) => number): Card[] =>
    Array.from({ length: CARDS_REQUESTED }, () => among[pick(among.length)]).filter(
      (card) => card !== undefined,
    )

  async function tally(
    requested: readonly Card[],
    game: string | undefined,
    change: (name: string) => string,
  ): Promise<Tally> {
    const items = requested.map(({ name }): NameItem => ({ name: change(name), game }))
    const answers = await resolveNames({ catalog }, items)
    const named = requested.map((card, at) =>
      namesIn(answers[at]).map((name) => name === card.name),
    )
    return {
      requested: requested.length,
      found: named.filter((same) => same.includes(true)).length,
      matched: named.filter(([first]) => first === true).length,
    }
  }

  /** Returns the names of the match and of its alternatives. */
  function namesIn(answer: NameMatch | NameMiss | undefined): (string | undefined)[] {
    if (answer === undefined || 'reason' in answer) return []
    return [answer.card_id, ...answer.alternatives].map((id) => nameOf.get(id))
  }

  test(`${CARDS_REQUESTED} cards are found by their exact names, and 97 of 100 after a small change`, async () => {
    const pick = openPick(20_260_805)
    const kinds = Object.entries(CHANGES)
    /** Applies a change that alters the text of a name; most names have no accents to remove. */
    const changed: (name: string) => string = (name) => {
      const texts = kinds.map(([, change]) => change(name, pick)).filter((text) => text !== name)
      return texts[pick(texts.length)] ?? name
    }
    const table: Record<string, Record<string, string>> = {}
    const wrong: string[] = []
    for (const game of [undefined, ...new Set(cards.map((card) => card.game))]) {
      const requested = someOf(
        game === undefined ? cards : cards.filter((card) => card.game === game),
        pick,
      )
      const exact = await tally(requested, game, (name) => name)
      const mixture = await tally(requested, game, changed)
      const row = { exact: shareOf(exact), 'one change': shareOf(mixture) }
      if (exact.matched < exact.requested) wrong.push(`${game}: exact ${row.exact}`)
      if (isBelow(mixture)) wrong.push(`${game}: one change ${row['one change']}`)
      const byKind: Record<string, string> = {}
      // Without a game, the cards of all games are queried again.
      for (const [kind, change] of game === undefined ? [] : kinds) {
        const texts = new Map(requested.map(({ name }) => [name, change(name, pick)]))
        const altered = requested.filter(({ name }) => texts.get(name) !== name)
        const one = await tally(altered, game, (name) => texts.get(name) ?? name)
        byKind[kind] = shareOf(one)
        if (isBelow(one) && !BELOW.has(`${game}, ${kind}`)) {
          wrong.push(`${game}: ${kind} ${byKind[kind]}`)
        }
      }
      table[game ?? 'every game'] = { ...row, ...byKind }
    }
    console.log(
      'Of 100 names that were changed: found at all, found as the match itself; how many asked',
    )
    console.log(Bun.inspect.table(table))
    expect(wrong).toEqual([])
  }, 120_000)

  /** Resolves a list, and counts the lines with the right name, and those with the right set and number. */
  async function scoreList(list: string, wanted: readonly ListedCard[], game: string) {
    const rows = await Array.fromAsync(resolveList({ catalog }, list, { game }))
    const gameId = catalog.games.getBySlugOrId(game)?.id
    const score = { lines: wanted.length, named: 0, placed: 0 }
    for (const [at, row] of rows.entries()) {
      const card = wanted[at]
      if (!('found' in row) || card === undefined) continue
      const { name, number, set_slug } = row.found.card
      const isNamed = printedNames(name)
        .concat(name)
        .some((one) => isSameName(one, card.name))
      const [setId] = catalog.sets.findIds(set_slug, gameId)
      const isInSet = catalog.sets.findIds(card.code, gameId).some((id) => id === setId)
      const listed = number ?? ''
      const isNumbered =
        isSameNumber(card.number, listed) || isNumberWithoutCode(card.number, listed)
      score.named += Number(isNamed)
      score.placed += Number(isInSet && isNumbered)
    }
    return score
  }

  test('deck lists of the apps have the right names in 99 of 100 lines, and set and number in 95', async () => {
    const pick = openPick(20_260_805)
    const table: Record<string, object> = {}
    const total = { lines: 0, named: 0, placed: 0 }
    for (const [at, format] of DECK_FORMATS.entries()) {
      for (const game of ['magic', 'pokemon', 'one-piece', 'lorcana', 'flesh-and-blood']) {
        const among = numbered.filter((card) => card.game_slug === game)
        const listed = Array.from({ length: LINES_EACH }, () => among[pick(among.length)])
          .filter((card) => card !== undefined)
          .map((card) => {
            const codes = listSetCodes(card)
            const code = codes[pick(codes.length)]?.toUpperCase() ?? card.name
            const [name = card.card_name] = printedNames(card.card_name)
            return { name, code, number: card.number }
          })
        const list = writeDeckList(format, listed, { seed: at, typos: 25 })
        const score = await scoreList(list, listed, game)
        table[`${format.app}, ${game}`] = score
        total.lines += score.lines
        total.named += score.named
        if (format.names === 'number') total.placed += score.placed
        else total.placed += score.lines
      }
    }
    console.log(`Deck lists: ${JSON.stringify(total)}`)
    if (total.named < 0.99 * total.lines) console.log(Bun.inspect.table(table))
    expect(total.named).toBeGreaterThanOrEqual(0.99 * total.lines)
    expect(total.placed).toBeGreaterThanOrEqual(0.95 * total.lines)
  })

  test.skipIf(!existsSync(LIVE_CODES))(
    'codes and numbers of Pokémon TCG Live are right in 95 of 100 lines, and names in 99',
    async () => {
      const rows = readFileSync(LIVE_CODES, 'utf8')
        .replace(/^\ufeff/, '')
        .trim()
        .split(/\r?\n/)
      const known = rows.slice(1).map((row) => {
        const [code = '', number = '', , , ...name] = row.split(',')
        return { code, number, name: name.join(',').replace(/^"|"$/g, '') }
      })
      const pick = openPick(20_260_805)
      const wanted = Array.from({ length: LIVE_LINES }, () => known[pick(known.length)]).filter(
        (card) => card !== undefined,
      )
      const list = wanted.map(({ name, code, number }) => `4 ${name} ${code} ${number}`).join('\n')
      const score = await scoreList(list, wanted, 'pokemon')
      console.log(`Pokémon TCG Live: ${JSON.stringify(score)}`)
      expect(score.named).toBeGreaterThanOrEqual(0.99 * score.lines)
      expect(score.placed).toBeGreaterThanOrEqual(0.95 * score.lines)
    },
    60_000,
  )

  test('no item delays the others, whatever it contains', async () => {
    const items = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter): NameItem[] => [
      { name: letter, number: '99999' },
      { name: `${letter} (nothing of the kind) [XYZ]` },
      { name: `Forest ${letter}${letter}${letter} (999) [XYZ]` },
      { name: `${letter}ing`, printing: 'none' },
    ])
    const { turns, cpuMs } = await countTurns(resolveNames({ catalog }, items))
    expect(turns).toBeGreaterThanOrEqual(Math.floor(cpuMs / 40))
  })
})

const LINES_EACH = sizedFor(10, 60)
const LIVE_LINES = sizedFor(1_000, 17_105)

/** Codes, numbers and names of Pokémon TCG Live. The file is outside the repository and never part of it. */
const LIVE_CODES = join(
  import.meta.dir,
  '../../../../shared/upstream/cardmarket/cardmarket_id_mapping.csv',
)

function isSameName(name: string, other: string): boolean {
  return normalizeName(name) === normalizeName(other)
}

/** Japanese names of two or three letters become another name without one of them. */
const BELOW: ReadonlySet<string> = new Set(['pokemon-japan, one letter dropped'])

function isBelow({ requested, found }: Tally): boolean {
  return found < 0.97 * requested
}

function shareOf({ requested, found, matched }: Tally): string {
  if (requested === 0) return '–'
  const share = (count: number) => ((100 * count) / requested).toFixed(1)
  return `${share(found)} ${share(matched)} ${requested}`
}
