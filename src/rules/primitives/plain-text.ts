import { decodeHTMLStrict } from 'entities/decode'

/**
 * Converts the HTML of a card text to plain text: line breaks become single newlines, HTML tags are
 * removed, entities are decoded. Other text stays: "a < b", and "<Draw 1>", printed on the cards of
 * some games, as "< Draw 1>", which browsers do not take for a tag. The function is idempotent, and
 * its result has no tag however often it was encoded.
 */
export function htmlToText(html: string): string {
  let text = tidy(html)
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    // Removing one tag or entity can form another, so this repeats until nothing changes.
    const next = tidy(decodeHTMLStrict(untag(text)))
    if (next === text) return text
    text = next
  }
  // Only deliberate nesting gets here. Without these characters, nothing is left to decode.
  return tidy(text.replace(/[<>&]/g, ''))
}

const PASSES_MAX = 6

function untag(text: string): string {
  if (!text.includes('<')) return text
  return (
    text
      .replace(/<!--[\s\S]*?-->/g, '')
      .replace(/<(script|style)\b[\s\S]*?<\/\1[^<>]*>/gi, '')
      .replace(BREAKING_TAGS, '\n')
      .replace(/<(?:!doctype|\?xml)\b[^<>]*>/gi, '')
      .replace(INLINE_TAGS, '')
      // The rest, unclosed tags included, is text and must not look like a tag.
      .replace(/<(?=[/!?a-z])/gi, '< ')
  )
}

// Tags of formatted text. Rarer ones are also words ("<Link>", "<Main>") and stay.
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
