import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeHTML } from 'entities'
import { DOCS, groupGuides } from './guides.ts'

/** Section of a guide that matches a query. */
export type GuideResult = {
  url: string
  /** Title of the guide. */
  title: string
  heading: string
  /** Text around the first match. */
  excerpt: readonly [before: string, match: string, after: string]
}

type Section = { url: string; title: string; heading: string; text: string }

const RESULTS_MAX = 20
const EXCERPT_CHARACTERS = 160

let sections: readonly Section[] | undefined

/** Finds the sections with all words, or with words that begin with them, best first. */
export function findInGuides(query: string): GuideResult[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  if (words.length === 0) return []
  sections ??= groupGuides().flatMap(({ links }) =>
    links.flatMap(({ file, title, url }) => splitGuide(file, title, url)),
  )
  const patterns = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}_])${word}`, 'iu'))
  return sections
    .map((section) => ({ section, score: scoreSection(section, patterns) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, RESULTS_MAX)
    .map(({ section: { url, title, heading, text } }) => {
      return { url, title, heading, excerpt: cutExcerpt(text, patterns) }
    })
}

/** Returns 0 if a word is missing. A word counts most in the heading. */
function scoreSection({ title, heading, text }: Section, patterns: readonly RegExp[]): number {
  let total = 0
  for (const pattern of patterns) {
    const score =
      (pattern.test(heading) ? 10 : 0) +
      (pattern.test(title) ? 5 : 0) +
      (pattern.test(text) ? 1 : 0)
    if (score === 0) return 0
    total += score
  }
  return total
}

function cutExcerpt(text: string, patterns: readonly RegExp[]): GuideResult['excerpt'] {
  const found = patterns.map((pattern) => pattern.exec(text)).find((match) => match !== null)
  const at = found?.index ?? 0
  const match = found?.[0] ?? ''
  const start = text.lastIndexOf(' ', Math.max(0, at - EXCERPT_CHARACTERS / 2)) + 1
  const end = text.indexOf(' ', at + EXCERPT_CHARACTERS)
  return [
    `${start > 0 ? '… ' : ''}${text.slice(start, at)}`,
    match,
    end === -1 ? text.slice(at + match.length) : `${text.slice(at + match.length, end)} …`,
  ]
}

/** Splits a guide at its headings, and removes the markup. */
function splitGuide(file: string, title: string, url: string): Section[] {
  const found: { id: string | null; heading: string; text: string }[] = []
  let isHeading = false
  const markdown = readFileSync(join(DOCS, file), 'utf8')
  new HTMLRewriter()
    .on('h1, h2, h3, h4', {
      element(heading) {
        const isTitle = heading.tagName === 'h1'
        found.push({ id: isTitle ? null : heading.getAttribute('id'), heading: '', text: '' })
        isHeading = true
        heading.onEndTag(() => {
          isHeading = false
        })
      },
    })
    .onDocument({
      text({ text }) {
        const section = found.at(-1)
        if (section === undefined) return
        if (isHeading) section.heading += text
        else section.text += text
      },
    })
    .transform(Bun.markdown.html(markdown, { headings: { ids: true } }))
  return found.map(({ id, heading, text }) => ({
    url: id === null ? url : `${url}#${id}`,
    title,
    heading: decodeHTML(heading),
    text: decodeHTML(text).replaceAll(/\s+/g, ' ').trim(),
  }))
}
