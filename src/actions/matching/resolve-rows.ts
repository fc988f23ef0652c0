import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { type Certainty, type NamedParts, rateExact } from '#rules/matching/certainty.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import { PREFERENCE_BY_DEFAULT, type Preference } from '#rules/matching/preference.ts'
import { listDroppedNumbers, listDroppedWords, listRowNames } from '#rules/matching/row-names.ts'
import { type NumberFit, parseRowNumber } from '#rules/matching/row-number.ts'
import { hasCode, hasOtherWords } from '#rules/matching/row-sets.ts'
import { removeVariantWords } from '#rules/matching/variants.ts'
import type { CardFacts } from '#store/catalog/card-facts.ts'
import { runYielding } from '../cooperative-loop.ts'
import { orderNamesakes } from './choose-cards.ts'
import { createVariantChooser } from './find-variant.ts'
import { SEARCH_LENGTH_MIN } from './match-name.ts'
import {
  createMatch,
  createRowSearches,
  fitAll,
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
import { createSetLookup, type NamedSets } from './named-sets.ts'
import { createSetNumberFinder } from './set-number.ts'

/** Row of a table without the id of a product. */
export type RowQuery = Pick<CollectionRow, 'set_code' | 'set_name' | 'number'> & {
  name: string
  /** Slug. */
  game: string | undefined
  /** Name of a printing or of a variant. */
  printing?: string | null
}

/** A card that a row means, and the parts of the row that do not fit it. */
export type RowMatch = CardMatch & { notes: readonly IgnoredPart[] }

/** Finds the cards of some rows, in their order. Yields to other requests. */
export async function resolveRows(
  { catalog }: Pick<Deps, 'catalog'>,
  rows: readonly RowQuery[],
  prefer = PREFERENCE_BY_DEFAULT,
): Promise<(RowMatch | NameMiss)[]> {
  if (rows.length === 0) return []
  const [answers = []] = await runYielding([rows], createRowResolver(catalog, prefer))
  return answers
}

/** A row that is being resolved. */
type RowSearch = RowParts &
  Omit<NamedSets, 'tiers'> & {
    query: RowQuery
    game: NameIndex
    /** Indexes of the sets that the row may mean, most specific first; undefined if it names none. */
    sets: readonly SetIndex[] | undefined
  }

/** Sets of a row, and whether another card in them has its name and number. */
type Rivals = Pick<NamedParts, 'setCount' | 'isOnly'>

const NO_RIVALS: Rivals = { setCount: 0, isOnly: true }

type SetIndex = { ids: readonly number[]; index: NameIndex }

/**
 * Returns a function that resolves some rows. Name and set outrank the number: a set is not left while it has a card
 * of the name.
 */
function createRowResolver(catalog: Deps['catalog'], prefer: Preference) {
  const indexes = createNameIndexes(catalog)
  const { byName, bySpelling } = createRowSearches(catalog.names.getFacts)
  const findSets = createSetLookup(catalog)
  const findNumber = createSetNumberFinder(catalog)
  const chooseVariant = createVariantChooser(catalog, indexes)

  /** Takes the variant that a row names, and adds the notes. */
  function* finish(
    found: Namesakes,
    search: RowSearch,
    notes: readonly IgnoredPart[],
  ): Generator<undefined, RowMatch | undefined> {
    const { number, sets, query, order } = search
    const label = query.printing ?? ''
    const additions = listDroppedWords(found.name)
    const choice = yield* chooseVariant({
      cards: found.cards,
      labels: [label, number?.variant ?? ''],
      additions,
      isNumbered: listNumbers(found.name, number).length > 0,
      isInSet: sets !== undefined,
      order,
    })
    const isFound = choice.outcome === 'found' || choice.outcome === 'several'
    const dropped = isFound ? listDroppedNumbers(found.name) : found.name.dropped
    const isExact =
      found.kind === 'exact' && choice.cards.every((card) => found.cards.includes(card))
    const kind = found.kind === 'similar' || isExact ? found.kind : 'printed'
    const name = { ...found.name, dropped }
    const chosen: Namesakes = { ...found, cards: choice.cards, kind, name }
    const all = [...notes, ...choice.notes]
    const isSure = all.length === 0 && choice.outcome !== 'several'
    const [card] = choice.cards
    const rivals = card && isSure ? yield* findRivals(card, chosen, search) : NO_RIVALS
    const match = createMatch(
      chosen,
      isSure ? rateCertainty(chosen, { ...search, ...rivals }, isFound) : 'guessed',
    )
    const isNamed = isFound && card !== undefined
    return (
      match && {
        ...match,
        notes: all,
        ...(isNamed && {
          printing: removeVariantWords([label, ...additions].join(' ').trim(), card),
        }),
      }
    )
  }

  /** Counts the sets that the row may mean, and looks for other cards of the name and number in them. */
  function* findRivals(
    card: CardFacts,
    { name, cards }: Namesakes,
    search: RowSearch,
  ): Generator<undefined, Rivals> {
    const { sets = [], agreed, number } = search
    const own = sets.find(({ ids }) => ids.includes(card.set_id))
    const isSpelled = (one: CardFacts) => one.name === name.written
    const isOnly = cards.filter((one) => isSpelled(one) === isSpelled(card)).length === 1
    if (own === undefined || agreed.includes(card.set_id)) {
      return { setCount: own?.ids.length ?? Math.min(sets.length, 1), isOnly }
    }
    // The code means another set than the name.
    const ids = [...new Set(sets.flatMap((one) => one.ids))]
    if (!isOnly || listNumbers(name, number).length === 0) return { setCount: ids.length, isOnly }
    const { fitting } = yield* byName(indexes.ofSets(ids), search)
    return { setCount: ids.length, isOnly: fitting?.cards.length === 1 }
  }

  /** Takes the card of a set whose number is nearest to that of the row. */
  function finishNearest(found: Namesakes, search: RowSearch) {
    const [wanted] = listNumbers(found.name, search.number)
    return wanted === undefined
      ? finish(found, search, [])
      : finish(sortByDistance(found, wanted), search, ['number_not_found'])
  }

  /** Finds a card in the sets of a row by its exact name, or by a similar name with its number. */
  function* findInSets(search: RowSearch): Generator<undefined, RowMatch | undefined> {
    const { sets = [], number } = search
    let inSet: Namesakes | undefined
    for (const { index } of sets) {
      const { fitting, named } = yield* byName(index, search)
      if (fitting !== undefined) return yield* finish(fitting, search, [])
      inSet ??= named
    }
    if (inSet !== undefined) return yield* finishNearest(inSet, search)
    if (number === undefined) return undefined
    for (const { index } of sets) {
      const { fitting } = yield* bySpelling(index, search)
      if (fitting !== undefined) return yield* finish(fitting, search, [])
    }
    return undefined
  }

  /** Finds a card anywhere in the game, or by its set and number if no card has the name. */
  function* findInGame(search: RowSearch): Generator<undefined, RowMatch | undefined> {
    const { sets = [], game } = search
    const notes = setNotes(search)
    const { fitting, named } = yield* byName(game, search)
    if (fitting !== undefined) return yield* finish(fitting, search, notes)
    if (named !== undefined)
      return yield* finish(named, search, [...notes, ...numberNotes(named, search)])
    for (const { index } of sets) {
      const inSet = yield* bySpelling(index, search)
      if (inSet.named !== undefined) return yield* finishNearest(inSet.named, search)
    }
    const similar = yield* bySpelling(game, search)
    if (similar.fitting !== undefined) return yield* finish(similar.fitting, search, notes)
    return similar.named === undefined ? findByNumber(search) : undefined
  }

  /** Finds the card of a set with a number: its name may be in another language. */
  function findByNumber({ query }: RowSearch): RowMatch | undefined {
    const { set_code, set_name, number, game } = query
    for (const set of [set_name, set_code]) {
      const found = number === null || set === null ? undefined : findNumber({ set, number }, game)
      if (found === undefined) continue
      const { name: corrected_name, ...match } = found
      return { ...match, certainty: 'guessed', corrected_name, notes: [] }
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
      const { tiers, ...named } = findSets(query)
      const sets = tiers?.map((ids) => ({ ids, index: indexes.ofSets(ids) }))
      const search = { ...parseParts(query, prefer), ...named, query, game, sets }
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

function parseParts({ name, set_name, number, printing }: RowQuery, prefer: Preference): RowParts {
  const isToken = TOKEN.test(`${set_name} ${name}`)
  return {
    names: listRowNames(name),
    number: number === null ? undefined : parseRowNumber(number),
    accepts: (card: CardFacts) => !isToken || TOKEN.test(`${card.set_name} ${card.name}`),
    order: orderNamesakes(prefer, printing),
  }
}

/** A token is not a card of the same name. */
const TOKEN = /\btokens?\b/i

/**
 * Rates a match that fits all parts of its row.
 *
 * @param isVariant true if the card is a variant that the row names: its number may have a mark that others lack
 */
function rateCertainty(
  { kind, name, cards }: Namesakes,
  { number, query, isSetNameUnknown, setCount, isOnly }: RowSearch & Rivals,
  isVariant: boolean,
): Certainty {
  const numbers = listNumbers(name, number)
  const [card] = cards
  if (card === undefined || kind === 'similar') return 'guessed'
  // Only a number tells whether a part that was removed from the name distinguishes another card.
  const isPart = name.dropped.length > 0 || name.isFace
  if (isPart && numbers.length === 0) return 'guessed'
  if (fitAll(card, numbers) < (isVariant ? VARIANT_FIT : SURE_FIT)) return 'guessed'
  const isNumbered = numbers.length > 0
  if (isSetNameUnknown) {
    const isOther =
      !hasCode(card, query.set_code ?? '') || hasOtherWords(query.set_name ?? '', card)
    return !isNumbered || setCount > 1 || isOther ? 'guessed' : 'certain'
  }
  return rateExact({ setCount, isNumbered, isOnly })
}

/** A letter behind a number may distinguish another card. */
const SURE_FIT: NumberFit = 2
const VARIANT_FIT: NumberFit = 1

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
