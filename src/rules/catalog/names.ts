// Normal forms of names and collector numbers, for paths, comparison and sorting.

/**
 * Converts a name to a path segment: lower-case ASCII letters and digits, with single hyphens between words.
 *
 * @param id used if the result would be empty (for example, for a Japanese name)
 */
export function slugify(name: string, id: number): string {
  const words = fold(name)
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return words || String(id)
}

/**
 * Returns the permanent slug of a game, even if the upstream renames it. No other game gets a fixed slug or `all`,
 * and no slug consists of digits, because ids occur in the same place of a path.
 */
export function gameSlug(game: { id: number; name: string }): string {
  const fixed = GAME_SLUGS.get(game.id)
  if (fixed !== undefined) return fixed
  const slug = slugify(game.name, game.id)
  if (/^\d+$/.test(slug)) return `game-${game.id}`
  return RESERVED_SLUGS.has(slug) ? `${slug}-${game.id}` : slug
}

/**
 * Removes accents and punctuation and keeps the case: "Flabébé (Full Art)" becomes "Flabebe Full Art". Letters of
 * every script stay. A name that consists of symbols ("_____" is a card) is returned unchanged.
 */
export function cleanName(name: string): string {
  return fold(name).replace(NO_WORD, ' ').trim() || name.trim()
}

/** Removes the marketplace's additions: "Cindle (Full Art) - 4/102" becomes "Cindle". */
export function cardTitle(name: string): string {
  const bare = name.replace(/[([][^)\]]*[)\]]/g, ' ').replace(/\s-\s[\w-]*\d[\w/-]*\s*$/, ' ')
  return bare.trim() === '' ? name : bare
}

/**
 * Lists the texts that may be printed as the card's name: the title, the part before a subtitle
 * ("Milo - Scholar"), and each of two names ("Fire // Ice"), because a photo shows one side.
 */
export function printedNames(name: string): string[] {
  if (!ADDITION.test(name)) return [name.trim()]
  return [...new Set([...completeNames(name), ...cardTitle(name).trim().split(' - ').slice(0, 1)])]
}

/** Lists the texts that name a card completely: its title, and each of two names; not a name without its subtitle. */
export function completeNames(name: string): string[] {
  // Most names have nothing to remove, and the patterns take longer than this test.
  if (!ADDITION.test(name)) return [name.trim()]
  const title = cardTitle(name).trim()
  return [...new Set([title, ...title.split(' // ')])]
}

/** Brackets and dashes, of which every addition and every second name has one. */
const ADDITION = /[([]|\s-\s| \/\/ /

/**
 * Returns a sort key whose code point order, as in SQLite, is the collectors' order: 2 before 10, 4/102 by its 4,
 * TG01 after plain numbers, OP13-089_p1 after OP13-089, then symbols, and missing numbers last.
 */
export function numberKey(number: string | null): string {
  const text = fold(number ?? '')
    .toUpperCase()
    .trim()
    .replace(LEADING_MARKS, '')
  return text.replace(PARTS, partKey) || NO_NUMBER
}

// Fixed slugs by upstream id. Slugs are permanent: clients use them in paths and filters.
const GAME_SLUGS: ReadonlyMap<number, string> = new Map([
  [1, 'magic'],
  [2, 'yugioh'],
  [3, 'pokemon'],
  [62, 'flesh-and-blood'],
  [68, 'one-piece'],
  [71, 'lorcana'],
  [85, 'pokemon-japan'],
])

/** Path segment that means all games. */
export const EVERY_GAME = 'all'

const RESERVED_SLUGS: ReadonlySet<string> = new Set([...GAME_SLUGS.values(), EVERY_GAME])

/**
 * Removes the accents of Latin, Greek and Cyrillic letters, and normalizes to Unicode's compatible forms. Other
 * scripts keep their marks: a kana without its voicing mark is another word.
 */
function fold(text: string): string {
  // Fast path: most names are ASCII, and the rest of this function takes most of the time.
  if (PLAIN_ASCII.test(text)) return text
  return text
    .replace(/[™℠®©]/g, ' ')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øØđĐðÐłŁßæÆœŒþÞı]/g, (letter) => UNDIVIDED.get(letter) ?? letter)
    .normalize('NFC')
}

const PLAIN_ASCII = /^[ -~]*$/

/** Letters that Unicode does not decompose into a base letter and an accent. */
export const UNDIVIDED: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['Ø', 'O'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ð', 'd'],
  ['Ð', 'D'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['þ', 'th'],
  ['Þ', 'Th'],
  ['ı', 'i'],
])

const NO_WORD = /[^\p{L}\p{M}\p{N}]+/gu

// "*64" is number 64 with a leading mark. Other leading symbols are part of the number ("!/28").
const LEADING_MARKS = /^[*#★☆†\s]+(?=[\p{L}\p{N}])/u

const PARTS = /[0-9]+|[A-Z]+|[\s/_.,+&-]+|[\s\S]/gu

// Sorts last: every other key begins with a digit, a capital, a hyphen or a bar.
const NO_NUMBER = '~'

/** Separators sort before digits, digits before letters, letters before symbols. */
function partKey(part: string): string {
  if (/^[0-9]/.test(part)) {
    const digits = part.replace(/^0+(?=[0-9])/, '')
    // The length goes first, so that longer numbers sort later. More than 99 digits do not occur.
    return String(Math.min(digits.length, 99)).padStart(2, '0') + digits
  }
  if (/^[A-Z]/.test(part)) return part
  return /^[\s/_.,+&-]/.test(part) ? '-' : `|${part}`
}
