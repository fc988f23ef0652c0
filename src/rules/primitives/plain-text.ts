import { decodeHTMLStrict } from 'entities/decode'

/**
 * Converts the HTML of a card text to plain text: line breaks become single newlines, HTML tags are removed, entities
 * are decoded. Other text stays: "a < b", and "<Draw 1>", which is printed on some cards, as "< Draw 1>", which
 * browsers do not treat as a tag. The function is idempotent, and its result contains no tag, however often the text
 * was encoded.
 */
export function htmlToText(html: string): string {
  let text = tidy(html)
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    // Removing one tag or entity can form another, so this repeats until nothing changes.
    const next = tidy(decodeHTMLStrict(untag(text)))
    if (next === text) return text
    text = next
  }
  // Only deliberate nesting gets here. Without these characters, nothing can be decoded.
  return tidy(text.replace(/[<>&]/g, ''))
}

const PASSES_MAX = 6

/**
 * Decodes the HTML entities of a name or another short text, however often it was encoded. Resulting spaces and
 * control characters become one space. A text without entities stays unchanged.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  let decoded = text
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const next = decodeHTMLStrict(decoded.replace(/&(?:amp;)+/g, '&'))
    if (next === decoded) break
    decoded = next
  }
  // Only deliberate nesting is still encoded.
  if (decodeHTMLStrict(decoded) !== decoded) decoded = decoded.replaceAll('&', ' ')
  return decoded === text ? text : decoded.replace(BLANKS, ' ').trim() || text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: entities can stand for them
const BLANKS = /[\s\u0000-\u001f\u007f]+/g

function untag(text: string): string {
  if (!text.includes('<')) return text
  return (
    removeBlocks(removeBlocks(text, COMMENTS), SCRIPTS)
      .replace(BREAKING_TAGS, '\n')
      .replace(/<(?:!doctype|\?xml)\b[^<>]*>/gi, '')
      .replace(INLINE_TAGS, '')
      // The rest, including unclosed tags, is text and must not look like a tag.
      .replace(/<(?=[/!?a-z])/gi, '< ')
  )
}

/** Beginning and end of blocks to remove; the first group of `begin` selects the end. */
type Blocks = { begin: RegExp; ends: Record<string, RegExp> }

const COMMENTS: Blocks = { begin: /<(!--)/g, ends: { '!--': /-->/g } }
const SCRIPTS: Blocks = {
  begin: /<(script|style)\b/gi,
  ends: { script: /<\/script[^<>]*>/gi, style: /<\/style[^<>]*>/gi },
}

/**
 * Removes each block that has an end. In linear time: a single pattern with a lazy middle would search the rest of
 * the text again for each beginning without an end.
 */
function removeBlocks(text: string, { begin, ends }: Blocks): string {
  const kept: string[] = []
  const endless = new Set<string>()
  let position = 0
  for (const match of text.matchAll(begin)) {
    const kind = (match[1] ?? '').toLowerCase()
    if (match.index < position || endless.has(kind)) continue
    const end = findEnd(text, match.index + match[0].length, ends[kind])
    if (end === undefined) {
      endless.add(kind)
      continue
    }
    kept.push(text.slice(position, match.index))
    position = end
  }
  return kept.length === 0 ? text : kept.join('') + text.slice(position)
}

/** Returns the position after the first match of `pattern` at or after `from`. */
function findEnd(text: string, from: number, pattern: RegExp | undefined): number | undefined {
  if (pattern === undefined) return undefined
  // A separate pattern, because the position of a shared one would be state.
  const search = new RegExp(pattern)
  search.lastIndex = from
  return search.test(text) ? search.lastIndex : undefined
}

// Tags of formatted text. Rarer ones are also words ("<Link>", "<Main>") and are kept.
const BREAKING_TAGS = tags('br p div li ul ol tr table hr h1 h2 h3 h4 h5 h6')
const INLINE_TAGS = tags('a b i u s em strong span sub sup small big font img td th tbody thead')

function tags(names: string): RegExp {
  return new RegExp(`</?(?:${names.replaceAll(' ', '|')})(?:[\\s/][^<>]*)?>`, 'gi')
}

function tidy(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\u00a0/g, ' ')
    .replace(CONTROLS, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to go
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

// Names that people choose, and that they and others read later.

/**
 * Pattern of a name: no control characters, line breaks, bidirectional marks or other invisible characters, which can
 * make a name look like another. Letters of every script and emoji are valid, and so are the joiners (U+200C, U+200D)
 * and variation selectors that some of them need.
 */
export const LABEL_PATTERN =
  '^(?!.*\\udb40[\\udc00-\\udc7f])[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160' +
  '\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff' +
  '\\uffa0\\ufff0-\\uffff]*$'

/** Returns the problem with a name, for a sentence about it; undefined if it is valid. */
export function findLabelProblem(name: string): string | undefined {
  if (name === '' || [...name].length > LABEL_CHARACTERS_MAX) {
    return `must have 1 to ${LABEL_CHARACTERS_MAX} characters`
  }
  return isVisible(name) ? undefined : 'must not contain control characters or invisible characters'
}

/** Returns true if a text has only characters that a name may have. */
export function isVisible(text: string): boolean {
  return LABEL.test(text) && text.isWellFormed()
}

const LABEL = new RegExp(LABEL_PATTERN)

/** Maximum length of a name. */
export const LABEL_CHARACTERS_MAX = 100
