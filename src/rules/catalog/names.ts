// What names and collector numbers become so that they can stand in a path, be compared and be put
// in order.

/**
 * A name as a path segment: lower-case ASCII letters and digits, single hyphens between words.
 *
 * @param id stands in where nothing of the name is left (a Japanese name, say)
 */
export function slugify(name: string, id: number): string {
  const words = fold(name)
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
  return trimHyphens(words) || String(id)
}

/**
 * The slug that a game keeps whatever the upstream renames it to. No other game gets one of the
 * fixed slugs, none is `all`, and none is all digits: those are ids in the same place of a path.
 */
export function gameSlug(game: { id: number; name: string }): string {
  const fixed = GAME_SLUGS.get(game.id)
  if (fixed !== undefined) return fixed
  const slug = slugify(game.name, game.id)
  if (/^\d+$/.test(slug)) return `game-${game.id}`
  return TAKEN_SLUGS.has(slug) ? `${slug}-${game.id}` : slug
}

/**
 * A name without accents and punctuation, its case kept: "Flabébé (Full Art)" is "Flabebe Full Art".
 * Letters of every script stay. A name that is nothing but signs ("_____" is a card) stays itself.
 */
export function cleanName(name: string): string {
  return fold(name).replace(NO_WORD, ' ').trim() || name.trim()
}

/** A title without what the marketplace added: "Cindle (Full Art) - 4/102" is "Cindle". */
export function cardTitle(name: string): string {
  const bare = name.replace(/[([][^)\]]*[)\]]/g, ' ').replace(/\s-\s[\w-]*\d[\w/-]*\s*$/, ' ')
  return bare.trim() === '' ? name : bare
}

/**
 * What may stand on the card as its name: the title, what stands before a subtitle ("Milo - Scholar"),
 * and of one with two names ("Fire // Ice") each alone, because a photo shows one side or reads one half.
 */
export function printedNames(name: string): string[] {
  const title = cardTitle(name).trim()
  return [...new Set([title, ...title.split(' // '), ...title.split(' - ').slice(0, 1)])]
}

/**
 * A text whose plain order (of code points, as SQLite compares) is the order in which collectors
 * file their cards: 2 before 10, 4/102 by its 4, TG01 after the plain numbers, OP13-089_p1 behind
 * OP13-089, signs last, no number at all behind everything.
 */
export function numberKey(number: string | null): string {
  const text = fold(number ?? '')
    .toUpperCase()
    .trim()
    .replace(LEADING_MARKS, '')
  return text.replace(PARTS, keyOfPart) || NO_NUMBER
}

// Ids of the upstream. A slug is for ever: clients have it in their paths and filters.
const GAME_SLUGS: ReadonlyMap<number, string> = new Map([
  [1, 'magic'],
  [2, 'yugioh'],
  [3, 'pokemon'],
  [62, 'flesh-and-blood'],
  [68, 'one-piece'],
  [71, 'lorcana'],
  [85, 'pokemon-japan'],
])

/** Stands in the place of a game's slug where every game is meant. */
export const EVERY_GAME = 'all'

const TAKEN_SLUGS: ReadonlySet<string> = new Set([...GAME_SLUGS.values(), EVERY_GAME])

/**
 * Without the accents of Latin, Greek and Cyrillic, and in Unicode's plain forms. Other scripts keep
 * their marks: a kana without its voicing mark or a Thai word without its vowels is another word.
 */
function fold(text: string): string {
  // Most texts have nothing to fold, and what follows takes most of the time that a name takes.
  if (PLAIN_ASCII.test(text)) return text
  return text
    .replace(/[™℠®©]/g, ' ')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øØđĐðÐłŁßæÆœŒþÞı]/g, (letter) => UNDIVIDED.get(letter) ?? letter)
    .normalize('NFC')
}

const PLAIN_ASCII = /^[ -~]*$/

// Letters that Unicode does not take apart into a plain one and an accent.
const UNDIVIDED: ReadonlyMap<string, string> = new Map([
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

function trimHyphens(text: string): string {
  return text.replace(/^-|-$/g, '')
}

// "*64" is the 64 with a mark before it. Other leading signs are the number itself ("!/28").
const LEADING_MARKS = /^[*#★☆†\s]+(?=[\p{L}\p{N}])/u

const PARTS = /[0-9]+|[A-Z]+|[\s/_.,+&-]+|[\s\S]/gu

// Every other key begins with a digit, a capital, a hyphen or a bar, and all of these come before it.
const NO_NUMBER = '~'

/** Separators sort before digits, digits before letters, letters before signs. */
function keyOfPart(part: string): string {
  if (/^[0-9]/.test(part)) {
    const digits = part.replace(/^0+(?=[0-9])/, '')
    // The length goes first, so that the longer number is the larger. More than 99 digits do not
    // occur; they would sort by their first digits.
    return String(Math.min(digits.length, 99)).padStart(2, '0') + digits
  }
  if (/^[A-Z]/.test(part)) return part
  return /^[\s/_.,+&-]/.test(part) ? '-' : `|${part}`
}
