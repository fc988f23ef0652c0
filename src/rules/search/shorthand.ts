// Collectors' words for things with other names in the catalog. The left side is what they type; each right side is
// searched as well.

/** Other wordings of a phrase. */
export type Rewording = {
  /** Number of words that the phrase has. */
  length: number
  wordings: readonly Wording[]
}

export type Wording = {
  words: readonly string[]
  /** True if the words have this meaning only in names of cards. */
  isName: boolean
}

/**
 * Finds the longest phrase that begins at a word and has other wordings.
 *
 * @param words in lower case
 * @returns undefined if no phrase begins there
 */
export function findRewording(words: readonly string[], at: number): Rewording | undefined {
  for (let length = Math.min(PHRASE_MAX, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length).join(' ')
    const wordings = SHORTHAND.get(phrase)
    if (wordings !== undefined) return { length, wordings }
  }
  return undefined
}

/** Returns true for words that describe any card, such as "card" and "price". */
export function isFiller(word: string): boolean {
  return FILLERS.has(word)
}

const FILLERS: ReadonlySet<string> = new Set(
  'card cards price prices value worth cost tcg ccg nm lp mint psa bgs cgc ungraded'.split(' '),
)

// Collected from the help pages and search habits of marketplaces and deck builders: the names of rarities, printings
// and products, and their usual abbreviations. A wording after "=" must be in the name of the card, because
// marketplaces call rainbow and gold cards "(Secret)", which is also an older rarity.
const TABLE = `
alt: alternate
alt art: alternate art | alternate full art
alternate art: alternate full art
aa: alternate art | alternate full art
alternative art: alternate art | alternate full art
fa: full art
ea: extended art
ext art: extended art
rainbow: =secret | hyper
rainbow rare: =secret | hyper rare
rr: double rare | =secret
gold: =secret | hyper
gold star: star
sir: special illustration rare
sar: special illustration rare | special art rare
ir: illustration rare
art rare: illustration rare
ar: illustration rare
hr: hyper rare
sr: super rare | secret rare
ur: ultra rare
ssr: shiny super rare | shiny ultra rare | shiny holo rare
chr: character rare
csr: character super rare
sec: secret rare
mr: mythic
mythic rare: mythic
holo: holofoil
holo rare: rare holofoil
rev: reverse
rh: reverse holofoil
rev holo: reverse holofoil
reverse holo: reverse holofoil
reverse foil: reverse holofoil
foil: holofoil
non foil: normal
nonfoil: normal
non holo: normal
nonholo: normal
first edition: 1st edition
first ed: 1st edition
1st ed: 1st edition
1e: 1st edition
1ed: 1st edition
unl: unlimited
unltd: unlimited
etb: elite trainer box
upc: ultra premium collection
spc: super premium collection
bb: booster box
precon: commander deck
edh: commander
mtg: magic
pkmn: pokemon
ptcg: pokemon
fab: flesh blood
optcg: one piece
op: one piece
jp: japan
jpn: japan
japanese: japan
4th: fourth
5th: fifth
6th: sixth
7th: seventh
8th: eighth
9th: ninth
10th: tenth
fourth: 4th
fifth: 5th
sixth: 6th
seventh: 7th
eighth: 8th
ninth: 9th
tenth: 10th
lvx: lv x
lvlx: lv x
level x: lv x
trainer gallery: tg
galarian gallery: gg
radiant collection: rc
shiny vault: sv
black star promo: promo
black star promos: promo
black star: promo
promos: promo
oversized: jumbo
`

const SHORTHAND: ReadonlyMap<string, readonly Wording[]> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [phrase = '', wordings = ''] = line.split(': ')
      return [phrase, wordings.split(' | ').map(parseWording)]
    }),
)

const PHRASE_MAX = 3

function parseWording(text: string): Wording {
  return { words: text.replace(/^=/, '').split(' '), isName: text.startsWith('=') }
}
