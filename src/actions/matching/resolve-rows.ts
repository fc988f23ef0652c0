import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import { listRowNames } from '#rules/matching/row-names.ts'
import { parseRowNumber } from '#rules/matching/row-number.ts'
import type { CardFacts } from '#store/catalog/card-facts.ts'
import { runYielding } from '../cooperative-loop.ts'
import { SEARCH_LENGTH_MIN } from './match-name.ts'
import {
  createMatch,
  createRowSearches,
  filterFitting,
  listNumbers,
  type Namesakes,
  type RowParts,
  sortByDistance,
} from './match-row.ts'
import {
  type CardMatch,
  createNameIndexes,
  type IgnoredPart,
  type NameIndex,
  type NameMiss,
} from './name-index.ts'

/** Row of a table without the id of a product. */
export type RowQuery = Pick<CollectionRow, 'set_code' | 'set_name' | 'number'> & {
  name: string
  /** Slug. */
  game: string | undefined
}

/** A card that a row means, and the parts of the row that do not fit it. */
export type RowMatch = CardMatch & { notes: readonly IgnoredPart[] }

/** Finds the cards of some rows, in their order. Yields to other requests. */
export async function resolveRows(
  { catalog }: Pick<Deps, 'catalog'>,
  rows: readonly RowQuery[],
): Promise<(RowMatch | NameMiss)[]> {
  const [answers = []] = await runYielding([rows], createRowResolver(catalog))
  return answers
}

/** A row that is being resolved. */
type RowSearch = RowParts & {
  query: RowQuery
  game: NameIndex
  /** Indexes of the sets that the row may mean, most specific first; undefined if it names none. */
  sets: readonly SetIndex[] | undefined
}

type SetIndex = { ids: readonly number[]; index: NameIndex }

/**
 * Returns a function that resolves some rows. Name and set outrank the number: a set is not left while it has a card
 * of the name.
 */
function createRowResolver(catalog: Deps['catalog']) {
  const indexes = createNameIndexes(catalog)
  const { byName, bySpelling } = createRowSearches(catalog.names.getFacts)
  const findSets = createSetLookup(catalog)

  /** Finds a card in the sets of a row by its exact name, or by a similar name with its number. */
  function* findInSets(search: RowSearch): Generator<undefined, RowMatch | undefined> {
    const { sets = [], number } = search
    let inSet: Namesakes | undefined
    for (const { index } of sets) {
      const { fitting, named } = yield* byName(index, search)
      if (fitting !== undefined) return finish(fitting, [])
      inSet ??= named
    }
    if (inSet !== undefined) return finishNearest(inSet, search)
    if (number === undefined) return undefined
    for (const { index } of sets) {
      const { fitting } = yield* bySpelling(index, search)
      if (fitting !== undefined) return finish(fitting, [])
    }
    return undefined
  }

  /** Finds a card anywhere in the game, or by its set and number if no card has the name. */
  function* findInGame(search: RowSearch): Generator<undefined, RowMatch | undefined> {
    const { sets = [], game } = search
    const notes = setNotes(search)
    const { fitting, named } = yield* byName(game, search)
    if (fitting !== undefined) return finish(fitting, notes)
    if (named !== undefined) return finish(named, [...notes, ...numberNotes(named, search)])
    for (const { index } of sets) {
      const inSet = yield* bySpelling(index, search)
      if (inSet.named !== undefined) return finishNearest(inSet.named, search)
    }
    const similar = yield* bySpelling(game, search)
    if (similar.fitting !== undefined) return finish(similar.fitting, notes)
    return similar.named === undefined ? findByNumber(search) : undefined
  }

  /** Finds the card of a set with a number: its name may be in another language. */
  function findByNumber({ sets = [], number, names, accepts }: RowSearch): RowMatch | undefined {
    const [name] = names
    if (number === undefined || name === undefined) return undefined
    for (const { ids } of sets) {
      const cards = catalog.names.getFacts(catalog.names.listBySets(ids).map(({ id }) => id))
      const [first, ...others] = filterFitting(cards.filter(accepts), name, number)
      if (first === undefined) continue
      const alternatives = others.slice(0, ALTERNATIVES_MAX).map(({ id }) => id)
      const { id: card_id, name: corrected_name } = first
      return { card_id, confidence: 'medium', corrected_name, alternatives, notes: [] }
    }
    return undefined
  }

  return function* resolve(
    rows: readonly RowQuery[],
  ): Generator<undefined, (RowMatch | NameMiss)[]> {
    const answers = new Map<RowQuery, RowMatch | NameMiss>()
    const open: RowSearch[] = []
    for (const query of rows) {
      const game = indexes.ofItem({ game: query.game })
      if ('reason' in game) {
        answers.set(query, game)
        continue
      }
      const sets = findSets(query)?.map((ids) => ({ ids, index: indexes.ofSets(ids) }))
      const search = { ...parseParts(query), query, game, sets }
      const found = yield* findInSets(search)
      if (found === undefined) open.push(search)
      else answers.set(query, found)
    }
    for (const [game, same] of Map.groupBy(open, (search) => search.game)) {
      game.prepare(same.flatMap(({ names }) => names.map(({ bare }) => bare)))
      for (const search of same) {
        answers.set(search.query, (yield* findInGame(search)) ?? describeMiss(search))
      }
    }
    return rows.map((query) => answers.get(query) ?? { reason: 'no_match' })
  }
}

/** Returns a function that lists the sets which a row may mean; undefined if it names none. */
function createSetLookup({ games, sets }: Pick<Deps['catalog'], 'games' | 'sets'>) {
  const known = new Map<string, readonly (readonly number[])[]>()
  const findTiers = (label: string, game: string | undefined) => {
    const key = `${game} ${label}`
    const gameId = game === undefined ? undefined : games.getBySlugOrId(game)?.id
    const tiers = known.get(key) ?? sets.findTiers(label, gameId)
    known.set(key, tiers)
    return tiers
  }
  return ({ set_code, set_name, game }: RowQuery) => {
    const labels = [set_code, set_name].filter((label) => label !== null)
    if (labels.length === 0) return undefined
    const tiers = labels.map((label) => findTiers(label, game))
    const [ofCode = [], ofName = []] = tiers
    // A code may mean several sets, of which the name is one.
    const both = ofCode.flat().filter((id) => ofName[0]?.includes(id))
    return [both, ...tiers.flat()].filter((ids) => ids.length > 0)
  }
}

function parseParts({ name, set_name, number }: RowQuery): RowParts {
  const isToken = TOKEN.test(`${set_name} ${name}`)
  return {
    names: listRowNames(name),
    number: number === null ? undefined : parseRowNumber(number),
    accepts: (card: CardFacts) => !isToken || TOKEN.test(`${card.set_name} ${card.name}`),
  }
}

/** A token is not a card of the same name. */
const TOKEN = /\btokens?\b/i

function finish(found: Namesakes, notes: readonly IgnoredPart[]): RowMatch | undefined {
  const match = createMatch(found)
  return match && { ...match, notes }
}

/** Takes the card of a set whose number is nearest to that of the row. */
function finishNearest(found: Namesakes, { number }: RowParts): RowMatch | undefined {
  const [wanted] = listNumbers(found.name, number)
  return wanted === undefined
    ? finish(found, [])
    : finish(sortByDistance(found, wanted), ['number_not_found'])
}

function numberNotes({ name }: Namesakes, { number }: RowParts): IgnoredPart[] {
  return listNumbers(name, number).length === 0 ? [] : ['number_not_found']
}

function setNotes({ sets }: RowSearch): IgnoredPart[] {
  if (sets === undefined) return []
  return [sets.length === 0 ? 'set_not_found' : 'not_in_set']
}

function describeMiss({ query }: RowSearch): NameMiss {
  const isShort = normalizeName(query.name).length < SEARCH_LENGTH_MIN
  return { reason: isShort ? 'name_too_short' : 'no_match' }
}
