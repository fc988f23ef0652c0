// Splits the text of a list, as apps export it and people paste it, into lines with cards.
import { decodeEntities } from '../primitives/plain-text.ts'
import { isRemark, type ListSection, parseHeading, takeSectionMark } from './list-sections.ts'

/** A line with a card. */
export type ListEntry = {
  /** Line number in the text, from 1, which counts headings and blank lines. */
  row: number
  section: ListSection
  /** The line as written, or what an XML element says as a line. */
  text: string
}

/**
 * Parses a list line by line: MTG Arena, Moxfield, Archidekt, MTGO (text and .dek), Cockatrice, TCGplayer,
 * Pokémon TCG Live, Untap, Limitless, Fabrary, Dreamborn, and plain lines.
 *
 * @returns an entry for each line with a card; undefined for each other line, so that the caller can pause
 */
export function* parseList(text: string): Generator<ListEntry | undefined> {
  let section: ListSection = 'main'
  let isAbout = false
  let row = 0
  for (const line of eachLine(text)) {
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

function* eachLine(text: string): Generator<string> {
  const ends = /\r\n|\r|\n|$/g
  for (let start = 0; start <= text.length; ) {
    ends.lastIndex = start
    const end = ends.exec(text)
    yield text.slice(start, end?.index)
    start = (end?.index ?? text.length) + Math.max(1, end?.[0].length ?? 1)
  }
}

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
  const text = quantity === '' || name === '' ? '' : `${quantity} ${name}`
  return isSide === '' ? { text } : { section: isSide === 'true' ? 'sideboard' : 'main', text }
}

const ELEMENTS: ReadonlySet<string> = new Set([
  ...['cards', 'card', 'zone', 'deck', 'netdeckid', 'preconstructeddeckid', 'cockatrice_deck'],
  ...['deckname', 'comments', 'lastloadedtimestamp', 'bannercard', 'tags', 'hash', 'xml'],
])
