// Splits the text of a list, as apps export it and people paste it, into lines with cards.

import { normalizeName } from '../catalog/trigrams.ts'
import { decodeEntities } from '../primitives/plain-text.ts'

/** A line with a card. */
export type ListEntry = {
  /** Line number in the text, from 1, which counts headings and blank lines. */
  row: number
  section: ListSection
  /** The line as written, or a line with the content of an XML element. */
  text: string
}

/**
 * Parses a list line by line: MTG Arena, Moxfield, Archidekt, MTGO (text and .dek), Cockatrice, TCGplayer, Pokémon
 * TCG Live, Untap, Limitless, Fabrary, Dreamborn, and plain lines.
 *
 * @param text the whole text, or its pieces in order
 * @returns an entry for each line with a card, and undefined for every other line, so that the caller can pause
 */
export function* parseList(
  text: string | IterableIterator<string>,
): Generator<ListEntry | undefined> {
  let section: ListSection = 'main'
  let isAbout = false
  let row = 0
  for (const line of eachLine(typeof text === 'string' ? [text] : text)) {
    row++
    const element = parseElement(line)
    if (element !== undefined) {
      section = element.section ?? section
      yield element.text === '' ? undefined : { row, section, text: element.text }
      continue
    }
    const heading = line.length > HEADING_CHARACTERS_MAX ? undefined : parseHeading(line)
    // The description of an Arena list ends at the next heading or blank line.
    isAbout = heading === undefined && line.trim() !== '' && (isAbout || ABOUT.test(line))
    if (heading !== undefined) section = heading
    if (heading !== undefined || isAbout || isRemark(line)) yield undefined
    else yield { row, section: takeSectionMark(line.trim()).section ?? section, text: line.trim() }
  }
}

const HEADING_CHARACTERS_MAX = 80

const ABOUT = /^\s*(?:about|über|info|acerca de|sobre|à propos|informazioni)\s*$/iu

function* eachLine(pieces: Iterable<string>): Generator<string> {
  let rest = ''
  for (const piece of pieces) {
    // A carriage return at the end of a piece may be the first half of a line end. A file of elements may be one line.
    const ends = /\r\n|\r(?!$)|\n|(?<=>)(?=<\/?(?:cards?|zone)[\s>])/gi
    ends.lastIndex = Math.max(0, rest.length - ELEMENT_CHARACTERS)
    rest += piece
    let start = 0
    for (let end = ends.exec(rest); end !== null; end = ends.exec(rest)) {
      yield rest.slice(start, end.index)
      start = ends.lastIndex
      // An empty match would be found again.
      if (end[0] === '') ends.lastIndex++
    }
    rest = rest.slice(start)
  }
  yield* rest.endsWith('\r') ? [rest.slice(0, -1), ''] : [rest]
}

/** Characters after an element that tell whether the next one has a card, and so belong to the end of a line. */
const ELEMENT_CHARACTERS = 8

/** Parses an element of MTGO's `.dek` or Cockatrice's `.cod`; other elements have no text. */
function parseElement(line: string): { section?: ListSection; text: string } | undefined {
  const [, tag = ''] = /^\s*<\/?(\w+)[\s/>]/.exec(line) ?? []
  if (!ELEMENTS.has(tag.toLowerCase())) return undefined
  const attribute = (name: RegExp) => decodeEntities(name.exec(line)?.[1] ?? '')
  const name = attribute(/\bname="([^"]*)"/i)
  if (tag.toLowerCase() === 'zone') {
    return { section: name === 'side' ? 'sideboard' : 'main', text: '' }
  }
  const quantity = attribute(/\b(?:quantity|number)="(\d+)"/i)
  const isSide = attribute(/\bsideboard="(\w+)"/i)
  const set = attribute(/\bsetShortName="([^"]*)"/i)
  const number = attribute(/\bcollectorNumber="([^"]*)"/i)
  const print = set === '' ? '' : ` (${set}) ${number}`.trimEnd()
  const text = quantity === '' || name === '' ? '' : `${quantity} ${name}${print}`
  return isSide === '' ? { text } : { section: isSide === 'true' ? 'sideboard' : 'main', text }
}

const ELEMENTS: ReadonlySet<string> = new Set([
  'cards',
  'card',
  'zone',
  'deck',
  'netdeckid',
  'preconstructeddeckid',
  'cockatrice_deck',
  'deckname',
  'comments',
  'lastloadedtimestamp',
  'bannercard',
  'tags',
  'hash',
  'xml',
])

// Headings and marks that divide a deck list, in the languages of the apps.

/** Part of a deck list. */
export type ListSection = 'main' | 'sideboard' | 'commander' | 'companion' | 'maybeboard'

/** Headings, normalized. Those of card types, such as `Pokémon: 12`, belong to the main deck. */
const HEADINGS: Record<ListSection, string> = {
  main: `deck, main, maindeck, mainboard, hauptdeck, mazo, mazo principal, mazzo, baralho, deck principal,
    jeu principal, デッキ, deck list, decklist, deck cards, arena cards, extra, extra deck, cards,
    pokemon, trainer, trainers, trainer cards, energy, energies, energy cards, supporter, supporters, item, items,
    tool, tools, stadium, stadiums, energie, energien, energia, energias, energies de base, trainerkarten,
    dresseur, dresseurs, entrenador, entrenadores, allenatore, carte allenatore, treinador, objet, objets, supporters,
    creature, creatures, land, lands, instant, instants, sorcery, sorceries, artifact, artifacts, enchantment,
    enchantments, planeswalker, planeswalkers, battle, battles, spell, spells, other, others, token, tokens, basic land,
    basic lands, nonbasic lands, kreaturen, kreatur, lander, land, spontanzauber, hexereien, artefakte,
    verzauberungen, creatures, terrains, terrain, ephemeres, rituels, artefacts, enchantements, criaturas, tierras,
    instantaneos, conjuros, artefactos, encantamientos, monster, monsters, trap, traps, spell cards, leader, leaders,
    character, characters, event, events, stage, stages, don, hero, heroes, weapon, weapons, equipment, inventory,
    action, actions, song, songs, location, locations, ink, pitch, main phase`,
  sideboard: `sideboard, side, sidedeck, side board, sb, reserve, beiseitegelegt, banquillo, banquilla, sidebord,
    mazo de reserva, mazzo di riserva, サイドボード`,
  commander: 'commander, commanders, cmdr, kommandeur, kommandant, comandante, commandant',
  companion: 'companion, gefahrte, companero, compagnon, compagno',
  maybeboard: 'maybeboard, maybe, considering, wishlist, wunschliste',
}

const SECTIONS: ReadonlyMap<string, ListSection> = new Map(
  Object.entries(HEADINGS).flatMap(([section, words]) =>
    // Object.entries returns strings; these are the keys of the table above.
    words.split(',').map((word) => [normalizeName(word), section as ListSection] as const),
  ),
)

/** Lines that describe a list: its name, its format, and the app that wrote it. */
const DESCRIPTION =
  /^(?:(?:name|deck ?name|format|class|author|creator|version|date|deck (?:type|id)|notes?)\s*:|made with |see the full deck|deck (?:created|generated|list generated)|deck list$|https?:\/\/|www\.)/i

/** `Total Cards: 60`, `Cartes totales : 60`, `Karten insgesamt: 60`, `60 cards`. */
const TOTAL =
  /^(?:(?:total|gesamt|karten|cartes|cartas|carte|total de)[\p{L}\s]*[:\-–]?\s*\d+|\d+ (?:cards?|karten|cartes|cartas|carte))(?: total)?$/iu

/**
 * Returns the section that a heading begins: `Sideboard`, `// Creatures (24)`, `##Pokémon - 12`,
 * `Énergie : 10`, `[Main]`, `=== Side ===`; undefined for any other line.
 */
function parseHeading(line: string): ListSection | undefined {
  const bare = line
    .replace(/^[\s/#*=\-–—[(!<>_~+]+/u, '')
    .replace(/[\s*=\-–—\])>_~:]+$/u, '')
    .replace(/\s*[:(\-–—]?\s*\(?\d{1,4}(?: cards?)?$/iu, '')
    .replace(/[\s:]+$/u, '')
  return /^\s*\d/.test(line) ? undefined : SECTIONS.get(normalizeName(bare))
}

/** Returns true for a line without a card: blank, a comment, or a description of the list. */
function isRemark(line: string): boolean {
  const text = line.trim()
  return (
    /^(?:$|\/\/|#(?!\d)|;|[*=_~–—-]{2,}|[<>]|sep=)/.test(text) ||
    // The pattern takes the square of a long line's length.
    (text.length <= HEADING_CHARACTERS_MAX && TOTAL.test(text)) ||
    DESCRIPTION.test(text)
  )
}

/**
 * Removes a mark such as `SB:` or `Commander:` from the beginning of a line, or Archidekt's categories with options
 * from its end: `[Maybeboard{noDeck}{noPrice},Burn]`.
 */
export function takeSectionMark(line: string): {
  section: ListSection | undefined
  rest: string
} {
  const categories = CATEGORIES.exec(line)
  if (categories !== null) {
    const named = (categories[0].match(/[^[\]{},]+(?=[{,\]])/g) ?? []).map((name) =>
      SECTIONS.get(normalizeName(name)),
    )
    const section = named.find((one) => one !== undefined && one !== 'main')
    return { section, rest: line.replace(CATEGORIES, '').trim() }
  }
  const [, mark = '', rest = ''] = /^(\p{L}[\p{L} ]{1,15}):\s*(\S.*)$/u.exec(line) ?? []
  const section = SECTIONS.get(normalizeName(mark))
  return section === undefined || rest === ''
    ? { section: undefined, rest: line }
    : { section, rest }
}

/** Square brackets around a name and its options in braces. */
const CATEGORIES = / ?\[[^[\]{}]*\{[^[\]]*\]/
