// Variants of cards that are products of their own: `Eevee (Master Ball Pattern)`, `OP01-016_p1`, or a card of
// `Base Set (Shadowless)`.
import { cleanName } from '../catalog/names.ts'
import { matchesPrinting } from '../catalog/printings.ts'

/** Facts that distinguish a product from others with the same name. */
export type VariantFacts = {
  name: string
  number: string | null
  rarity: string | null
  set_name: string
  set_code: string | null
  printings: readonly string[]
}

/** Lists the words by which a text tells a variant from others; none if it is a finish, or the answer of a flag. */
export function listVariantWords(text: string): string[] {
  return isFlag(text) ? [] : listWords(text).filter((word) => !FINISHES.has(word))
}

export function isFlag(text: string): boolean {
  return FLAG.test(text)
}

const FLAG = /^\s*(?:true|false|yes|no|[xy01])?\s*$/i

/** Words of a text in the forms in which they are compared, without those that name no variant. */
function listWords(text: string): string[] {
  const bare = cleanName(text.slice(0, LENGTH_MAX)).toLowerCase()
  const phrases = bare.replace(ALTERNATE_ART, 'parallel').replace(FIRST_EDITION, '1stedition')
  const words = phrases.split(' ')
  return [...new Set(words.map((word) => SPELLINGS.get(word) ?? word))].filter(
    (word) => word !== '' && !FILLERS.has(word),
  )
}

/** Labels of apps are shorter. */
const LENGTH_MAX = 100

/** Games name the same kind of card `Alternate Art` or `Parallel`. */
const ALTERNATE_ART = /\balt(?:ernat(?:e|ive))?(?= (?:full )?art\b)/g

/** The first edition is not the first place of a tournament. */
const FIRST_EDITION = /\b(?:1st|first) ed(?:ition)?\b/g

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['promos', 'promo'],
  ['stamped', 'stamp'],
  ['holofoil', 'holo'],
  // The mark of Pokémon's prize packs is `Play! Pokémon`.
  ['play', 'prize'],
])

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Every variant may have these words. */
const FILLERS = setOf(
  `pattern card cards version variant variance finish printing print edition ed pack series art pokemon
  the of and with a signed altered`,
)

/** Finishes are printings of a product rather than other products. */
const FINISHES = setOf(
  `foil foils holo holofoil holographic reverse rev reversed normal regular standard plain non nonfoil nonholo
  unlimited`,
)

/** Returns true for words of which at least one names a variant: an etched foil may be a printing, too. */
export function mustBeVariant(words: readonly string[]): boolean {
  return words.some((word) => word !== 'etched')
}

/** Lists the words of the additions to a product's name and of its number's mark. */
function listOwnWords({ name, number }: Pick<VariantFacts, 'name' | 'number'>): string[] {
  return [...listAdditions(name), meaningOfMark(number ?? '') ?? ''].flatMap(listWords)
}

function listAdditions(name: string): string[] {
  return [...name.matchAll(ADDITIONS)].map(([, round, square]) => round ?? square ?? '')
}

const ADDITIONS = /\(([^()]*)\)|\[([^[\]]*)\]/g

/** Marks of catalogs behind a number. */
const MARKS: readonly { mark: RegExp; means: string }[] = [
  { mark: /\d_p\d+$/i, means: 'parallel' },
  { mark: /\d_r\d+$/i, means: 'reprint' },
  { mark: /\ds★?$/, means: 'prerelease' },
  { mark: /\dp★?$/, means: 'promo' },
]

/** Returns what the mark behind a number means; undefined without one. */
export function meaningOfMark(number: string): string | undefined {
  return MARKS.find(({ mark }) => mark.test(number))?.means
}

/** Returns true for the words of a mark, which tell a variant although no card has them in its name. */
export function namesMark(text: string): boolean {
  return listVariantWords(text).some((word) => MARKS.some(({ means }) => means === word))
}

/** Lists the words of a rarity. `*E*`, an etched foil elsewhere, is an enchanted card in lists of Lorcana. */
function listRarityWords(rarity: string): string[] {
  return [...listWords(rarity), ...(RARITIES.get(rarity.toLowerCase()) ?? [])]
}

const RARITIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['enchanted', ['etched']],
  ['special', ['promo']],
])

/** Words of a product in the forms in which they are compared, because a row compares hundreds of products. */
export type ProductWords = {
  /** Words of its own additions. */
  own: readonly string[]
  /** Words of its rarity and printings. */
  others: readonly string[]
  ofSet: readonly string[]
}

export function listProductWords(product: VariantFacts): ProductWords {
  const { rarity, set_name, set_code, printings } = product
  return {
    own: listOwnWords(product),
    others: [...listRarityWords(rarity ?? ''), ...printings.flatMap(listWords)],
    ofSet: [set_name, set_code ?? ''].flatMap(listWords),
  }
}

/**
 * Measures how well a product fits the words of a variant.
 *
 * @param isInSet true if the set is named beside the variant, so that its name does not tell a variant
 * @returns how many words differ; undefined if the product lacks one
 */
export function measureVariant(
  words: readonly string[],
  { own, others, ofSet }: ProductWords,
  isInSet: boolean,
): number | undefined {
  const isKnown = (word: string) =>
    own.includes(word) || others.includes(word) || (!isInSet && ofSet.includes(word))
  const lacking = words.filter((word) => !isKnown(word))
  // Most additions do not say that they are stamps.
  if (lacking.some((word) => word !== STAMP || words.length === 1)) return undefined
  const more = own.filter(
    (word) => !words.includes(word) && !FINISHES.has(word) && !/^\d+$/.test(word),
  )
  return more.length + lacking.length / 2
}

const STAMP = 'stamp'

/** Returns true if the additions to a name have all words of a text, which may also be a tag: `[Ramp]`. */
export function hasAddition(text: string, name: string): boolean {
  const own = listOwnWords({ name, number: null })
  return listVariantWords(text).every((word) => own.includes(word))
}

/** Returns true if one of the additions to a product's name is a finish that a text names: `Blaziken (Holo)`. */
export function hasFinishAddition(text: string, { name }: Pick<VariantFacts, 'name'>): boolean {
  const wanted = listWords(text).join(' ')
  return listAdditions(name).some((addition) => listWords(addition).join(' ') === wanted)
}

/**
 * Returns what a label says about the printing, without what the product itself says: `1st` of `1st Edition
 * Shadowless` for a card of a set with shadowless cards.
 */
export function removeVariantWords(label: string, product: VariantFacts): string {
  const own = [
    ...listOwnWords(product),
    ...listRarityWords(product.rarity ?? ''),
    ...listWords(product.set_name),
  ]
  const ofPrintings = product.printings.flatMap(listWords)
  const words = listWords(label)
  const left = words.filter((word) => !own.includes(word) || ofPrintings.includes(word))
  if (left.length === words.length) return label
  const rest = left.join(' ')
  const isFinish = left.every((word) => FINISHES.has(word))
  const isKnown = product.printings.some((printing) => matchesPrinting(rest, printing))
  // A variant of its own has the finish that belongs to it.
  return isFinish && !isKnown ? '' : rest
}
