// Headings and marks that divide a deck list, in the languages of the apps.
import { normalizeName } from '../catalog/trigrams.ts'

/** Part of a deck list. */
export type ListSection = 'main' | 'sideboard' | 'commander' | 'companion' | 'maybeboard'

/** Headings, normalized. Those of card types, such as `Pokémon: 12`, are parts of the main deck. */
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
export function parseHeading(line: string): ListSection | undefined {
  const bare = line
    .replace(/^[\s/#*=\-–—[(!<>_~+]+/u, '')
    .replace(/[\s*=\-–—\])>_~:]+$/u, '')
    .replace(/\s*[:(\-–—]?\s*\(?\d{1,4}(?: cards?)?$/iu, '')
    .replace(/[\s:]+$/u, '')
  return /^\s*\d/.test(line) ? undefined : SECTIONS.get(normalizeName(bare))
}

/** Returns true for a line without a card: blank, a comment, or a description of the list. */
export function isRemark(line: string): boolean {
  const text = line.trim()
  return (
    /^(?:$|\/\/|#(?!\d)|;|[*=_~–—-]{2,}|[<>]|sep=)/.test(text) ||
    TOTAL.test(text) ||
    DESCRIPTION.test(text)
  )
}

/** Removes a mark such as `SB:` or `Commander:` from the beginning of a line. */
export function takeSectionMark(line: string): {
  section: ListSection | undefined
  rest: string
} {
  const [, mark = '', rest = ''] = /^(\p{L}[\p{L} ]{1,15}):\s*(\S.*)$/u.exec(line) ?? []
  const section = SECTIONS.get(normalizeName(mark))
  return section === undefined || rest === ''
    ? { section: undefined, rest: line }
    : { section, rest }
}
