/**
 * Product lists in Cardmarket's naming, generated from a catalog, with the card of each product: attacks in brackets,
 * versions, no numbers, and products and cards that are missing, renamed or added later.
 */
import type { ListedProduct } from '#rules/sync/cardmarket/files.ts'
import type { MatchableCard, MatchableSet } from '#rules/sync/cardmarket/matchable.ts'
import { compareNumbers, parseCardName } from '#rules/sync/cardmarket/product-name.ts'
import { pick, randomFrom } from '../random.ts'

export type GeneratedLists = {
  products: ListedProduct[]
  /** Cards and sets that are in the catalog. */
  cards: MatchableCard[]
  sets: MatchableSet[]
  /** Card of each product, including cards that the catalog lacks. */
  truth: Map<number, number>
}

export type ListOptions = {
  cards: readonly MatchableCard[]
  sets: readonly MatchableSet[]
  seed: number
  /** Invents attacks, which the catalog does not have. */
  hasAttacks: boolean
  /** Puts the collector number after the name. */
  hasNumbers?: boolean
}

/** Shares of products and cards with each kind of deviation. */
const MISSING = 0.05
const RENAMED = 0.01
const ADDED_LATER = 0.03
const PUNCTUATION = 0.1
/** Share of sets with an added reprint, and share of equal cards in it. */
const REPRINTS = 0.04
const REPRINTED = 0.88

export function generateLists({
  cards,
  sets,
  seed,
  hasAttacks,
  hasNumbers = false,
}: ListOptions): GeneratedLists {
  const random = randomFrom(seed)
  const happens = (share: number) => random() < share
  const withReprints = addReprints(cards, sets, random)
  const complete = withReprints.cards.map((card) =>
    hasAttacks && card.attacks.length === 0 ? { ...card, attacks: inventAttacks(card) } : card,
  )
  const expansionIds = shuffle(
    withReprints.sets.map((_, index) => 1_000 + index * 3),
    random,
  )
  const products: ListedProduct[] = []
  const truth = new Map<number, number>()
  const late: (() => void)[] = []
  let nextId = 270_000
  const bySet = Map.groupBy(complete, ({ set_id }) => set_id)
  for (const [index, set] of shuffle(withReprints.sets, random).entries()) {
    const expansion_id = expansionIds[index] ?? 0
    const own = (bySet.get(set.id) ?? []).toSorted(compareNumbers)
    const singles = own.filter(({ is_sealed }) => !is_sealed)
    const names = nameProducts(singles, { hasAttacks, hasNumbers }, happens(0.5))
    const added_on = dateAdded(set, random)
    const add = (card: MatchableCard, name: string, is_sealed: boolean) => {
      const id = nextId++
      products.push({ id, name, expansion_id, is_sealed, added_on })
      truth.set(id, card.id)
    }
    nextId += Math.floor(random() * 500)
    // Half of the lists never had the missing products, so their ids have no gap.
    const hasGaps = happens(0.5)
    for (const [place, card] of singles.entries()) {
      const name = respell(names[place] ?? card.name, random)
      if (happens(MISSING)) {
        if (hasGaps) nextId++
      } else if (happens(ADDED_LATER)) late.push(() => add(card, name, false))
      else add(card, name, false)
    }
    for (const card of own.filter(({ is_sealed }) => is_sealed))
      if (!happens(MISSING)) add(card, renameSealed(card.name), true)
    if (happens(0.6)) {
      const name = `${bareSetName(set.name)} Booster`
      products.push({ id: nextId++, name, expansion_id, is_sealed: true, added_on })
    }
  }
  for (const add of shuffle(late, random)) add()
  return {
    products: shuffle(products, random),
    cards: complete.filter(() => !happens(MISSING)),
    sets: withReprints.sets,
    truth,
  }
}

/** Adds sets that repeat most cards of others, under other names and ids. */
function addReprints(
  cards: readonly MatchableCard[],
  sets: readonly MatchableSet[],
  random: () => number,
): Pick<GeneratedLists, 'cards' | 'sets'> {
  const all = { cards: [...cards], sets: [...sets] }
  const bySet = Map.groupBy(cards, ({ set_id }) => set_id)
  for (const set of sets) {
    const own = bySet.get(set.id) ?? []
    if (own.length < 20 || random() > REPRINTS) continue
    const id = set.id + 50_000_000
    all.sets.push({ id, name: `${set.name} Anniversary Edition`, release_day: null })
    for (const card of own) {
      const isSame = random() < REPRINTED
      const other = isSame ? card : pick(random, cards)
      all.cards.push({ ...other, id: card.id + 500_000_000, set_id: id, number: card.number })
    }
  }
  return all
}

/** Invents attacks: cards with the same name and set have the same ones, except for every fifth card. */
function inventAttacks(card: MatchableCard): string[] {
  const { key } = parseCardName(card.name)
  if (/energy$|potion|ball$|professor|stadium/.test(key)) return []
  const variant = card.id % 5 === 0 ? card.id : 0
  const draw = randomFrom(hash(`${key} ${card.set_id} ${variant}`))
  const word = () => `${pick(draw, FIRST_WORDS)} ${pick(draw, SECOND_WORDS)}`
  return draw() < 0.4 ? [word()] : [word(), word()]
}

function nameProducts(
  cards: readonly MatchableCard[],
  { hasAttacks, hasNumbers }: Required<Pick<ListOptions, 'hasAttacks' | 'hasNumbers'>>,
  hasVersions: boolean,
): string[] {
  const names = cards.map((card) => {
    const name = nameProduct(card, hasAttacks)
    const number = card.number?.replace(/_.*/, '')
    return hasNumbers && number !== undefined ? `${name} (${number})` : name
  })
  const counts = Map.groupBy(names, (name) => name)
  const seen = new Map<string, number>()
  return names.map((name) => {
    if (!hasVersions || (counts.get(name)?.length ?? 0) < 2) return name
    const version = (seen.get(name) ?? 0) + 1
    seen.set(name, version)
    return `${name} (V.${version})`
  })
}

/** Returns a name without the marketplace's additions; a color distinguishes cards on both sides. */
function nameProduct({ name, attacks }: MatchableCard, hasAttacks: boolean): string {
  const title = name
    .replace(/\s*\((?!red\)|yellow\)|blue\))[^()]*\)/gi, '')
    .replace(/\s*\[[^\]]*\]/g, '')
    .replace(/\s-\s[\w-]*\d[\w/-]*\s*$/, '')
    .trim()
  return hasAttacks && attacks.length > 0 ? `${title} [${attacks.join(' | ')}]` : title || name
}

function respell(name: string, random: () => number): string {
  const [title = name, ...rest] = name.split(' [')
  const tail = rest.map((part) => ` [${part}`).join('')
  if (random() < RENAMED) return rename(title, random) + tail
  if (random() >= PUNCTUATION) return name
  const changed = pick(random, [
    title.replaceAll("'", '’'),
    title.replaceAll("'", ''),
    title.replaceAll('-', ' '),
    title.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
    title.replaceAll('&', 'and'),
    title.replaceAll(',', ''),
  ])
  return changed + tail
}

function rename(title: string, random: () => number): string {
  const at = 1 + Math.floor(random() * Math.max(1, title.length - 2))
  return pick(random, [
    `The ${title}`,
    title.slice(0, at) + title.slice(at + 1),
    `${title.slice(0, at)}e${title.slice(at)}`,
    `${title} LV.X`,
  ])
}

function renameSealed(name: string): string {
  return name
    .replace(/ Pack$/, '')
    .replace(/"/g, '""')
    .replaceAll('""', '"')
}

function bareSetName(name: string): string {
  return name.replace(/^[\w&]{1,6}(?:\s-|:)\s/, '')
}

/** Most products have no date, or one in the week of the set's release. */
function dateAdded({ release_day }: MatchableSet, random: () => number): number | null {
  if (release_day === null || random() < 0.6) return null
  return release_day - 20 + Math.floor(random() * 40)
}

function shuffle<T>(values: readonly T[], random: () => number): T[] {
  const drawn = values.map((value) => ({ value, order: random() }))
  return drawn.sort((a, b) => a.order - b.order).map(({ value }) => value)
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7) >>> 0
}

const FIRST_WORDS =
  'Quick Slash Flame Rain Stone Wing Solar Shadow Magnet Thunder Poison Dream Leaf Iron Frost Mud'.split(
    ' ',
  )
const SECOND_WORDS =
  'Attack Blast Punch Tail Beam Draw Guard Stream Dance Needle Spin Crush Drop Wave Shot Bite'.split(
    ' ',
  )
