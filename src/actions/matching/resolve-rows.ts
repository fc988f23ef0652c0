import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { Certainty } from '#rules/matching/certainty.ts'
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
  const [answers = []] = await runYielding([rows], createRowResolver(catalog, prefer))
  return answers
}

/** A row that is being resolved. */
type RowSearch = RowParts & {
  query: RowQuery
  game: NameIndex
  /** Indexes of the sets that the row may mean, most specific first; undefined if it names none. */
  sets: readonly SetIndex[] | undefined
  /** True if only the set's code is known, and not its name. */
  isSetNameUnknown: boolean
}

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
    const { number, sets, query } = search
    const label = query.printing ?? ''
    const additions = listDroppedWords(found.name)
    const choice = yield* chooseVariant({
      cards: found.cards,
      labels: [label, number?.variant ?? ''],
      additions,
      isNumbered: listNumbers(found.name, number).length > 0,
      isInSet: sets !== undefined,
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
    const match = createMatch(chosen, isSure ? rateCertainty(chosen, search, isFound) : 'guessed')
    const [card] = choice.cards
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
    for (const set of [set_code, set_name]) {
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
      const { tiers, isSetNameUnknown } = findSets(query)
      const sets = tiers?.map((ids) => ({ ids, index: indexes.ofSets(ids) }))
      const search = { ...parseParts(query, prefer), query, game, sets, isSetNameUnknown }
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

/** Returns a function that lists the sets which a row may mean, most specific first; undefined if it names none. */
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
    if (labels.length === 0) return { tiers: undefined, isSetNameUnknown: false }
    const found = labels.map((label) => findTiers(label, game))
    const [ofCode = [], ofName = []] = found
    // A code may mean several sets, of which the name is one.
    const both = ofCode.flat().filter((id) => ofName.flat().includes(id))
    return {
      tiers: [both, ...found.flat()].filter((ids) => ids.length > 0),
      isSetNameUnknown: labels.length > 1 && ofName.length === 0,
    }
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
  { number, sets, query, isSetNameUnknown }: RowSearch,
  isVariant: boolean,
): Certainty {
  const numbers = listNumbers(name, number)
  const [card, ...others] = cards
  if (card === undefined || kind === 'similar') return 'guessed'
  // Only a number tells whether a part that was removed from the name distinguishes another card.
  const isPart = name.dropped.length > 0 || name.isFace
  if (isPart && numbers.length === 0) return 'guessed'
  if (fitAll(card, numbers) < (isVariant ? VARIANT_FIT : SURE_FIT)) return 'guessed'
  if (sets === undefined) return numbers.length > 0 ? 'certain' : 'assumed'
  const inSeveral = (sets.find(({ ids }) => ids.includes(card.set_id))?.ids.length ?? 0) > 1
  const isUnique = numbers.length > 0 && others.length === 0
  if (isSetNameUnknown) {
    const isOther =
      !hasCode(card, query.set_code ?? '') || hasOtherWords(query.set_name ?? '', card)
    return numbers.length === 0 || inSeveral || isOther ? 'guessed' : 'certain'
  }
  // Promos of several sets share a code.
  return inSeveral && !isUnique ? 'guessed' : 'certain'
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
