import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { decodeEntities, htmlToText } from '#rules/primitives/plain-text.ts'

test.each([
  [
    '[4] Tempest Dive (220)\r\n<br>\r\nYou may discard 3',
    '[4] Tempest Dive (220)\nYou may discard 3',
  ],
  ['one<br/>two<BR />three', 'one\ntwo\nthree'],
  ['<p>first</p><p>second</p>', 'first\nsecond'],
  ['<em>Flip</em> a <b class="x">coin</b>', 'Flip a coin'],
  ['When a < b and c > d', 'When a < b and c > d'],
  ['<3 hearts', '<3 hearts'],
  ['Pok&eacute;mon&#39;s &amp; Trainer&#x2019;s', "Pokémon's & Trainer’s"],
  ['&Ouml;dland &euro;5 &rarr; &frac13; &Auml;&ensp;b', 'Ödland €5 → ⅓ Ä\u2002b'],
  ['R&D, &33, A&B; &unknown;', 'R&D, &33, A&B; &unknown;'],
  ['before<!-- hidden <b> --> after', 'before after'],
  ['a<script>alert(1)</script>b', 'ab'],
  ['&lt;Draw 1&gt; then <b>gain</b> <Rush>', '< Draw 1> then gain < Rush>'],
  ['<x onclick="alert(1)">here</x>', '< x onclick="alert(1)">here< /x>'],
  ['<!DOCTYPE html><?xml version="1.0"?>text', 'text'],
  ['<table><tr><td>a</td> <td>b</td></tr></table>', 'a b'],
  ['&lt;b&gt;bold&lt;/b&gt;', 'bold'],
  ['&amp;lt;img src=x&amp;gt;', ''],
  ['<<b>script>alert(1)', '< script>alert(1)'],
  ['open <img src=x onerror=alert(1)', 'open < img src=x onerror=alert(1)'],
  ['  \r\n a\u00a0b \t\r\n\r\n c\u0000 ', 'a b\nc'],
  ['', ''],
])('%p becomes %p', (html, text) => {
  expect(htmlToText(html)).toBe(text)
})

const pieces = fc.constantFrom(
  '<',
  '>',
  '</',
  '<b>',
  '<br>',
  '&',
  'amp;',
  '&lt;',
  '&gt;',
  '&#60;',
  '&#38;',
  '#',
  ';',
  '!--',
  'script',
  'a',
  ' ',
  '\n',
  '\r\n',
  '"',
  "'",
  '=',
  '-->',
  '&nbsp;',
  'x',
  '3',
  '?',
  '/',
)
const anyHtml = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
)

test('no tag survives, however it is nested or encoded', () => {
  fc.assert(
    fc.property(anyHtml, (html) => {
      expect(htmlToText(html)).not.toMatch(/<[/!?a-z]/i)
    }),
    { numRuns: 2_000 },
  )
})

test('the conversion is idempotent', () => {
  fc.assert(
    fc.property(anyHtml, (html) => {
      const text = htmlToText(html)
      expect(htmlToText(text)).toBe(text)
    }),
    { numRuns: 2_000 },
  )
})

test('text without tags, entities and odd spaces is unchanged', () => {
  const words = fc.array(fc.stringMatching(/^[\w.,:'’—()/[\]{}-]+$/), { minLength: 1 })
  fc.assert(
    fc.property(fc.array(words, { minLength: 1 }), (lines) => {
      const text = lines.map((line) => line.join(' ')).join('\n')
      expect(htmlToText(text)).toBe(text)
    }),
  )
})

test('the longest allowed text is converted, whatever it repeats', () => {
  for (const part of ['<', '<a', '<!--', '<script', '&amp;', '&#38;#38;', ' ', '\n ']) {
    expect(htmlToText(part.repeat(20_000 / part.length)).length).toBeLessThan(40_000)
  }
})

test.each([
  '<!--',
  '<script>',
  '<style ',
  '<script></style>',
  '</script',
  '<!--&amp;',
  '<p ',
  '&lt;!--',
])('the time grows at most in proportion to the number of "%s"', (part) => {
  const [few, many] = [4_000, 40_000].map((count) => {
    const text = part.repeat(count)
    return Math.min(...Array.from({ length: 5 }, () => cpuMs(() => htmlToText(text))))
  })
  // Linear time takes 10 times as long, quadratic 100 times.
  expect(many).toBeLessThan(40 * ((few ?? 0) + 1))
})

test.each([
  ['Luffy &amp; Ace', 'Luffy & Ace'],
  ['Erase (Not the Urza&#039;s Legacy One)', "Erase (Not the Urza's Legacy One)"],
  ['Flab&eacute;b&eacute; &amp;amp; Friends', 'Flabébé & Friends'],
  ['One&nbsp;Two&#10;Three', 'One Two Three'],
  ['R&D&D', 'R&D&D'],
  ['Plain  name ', 'Plain  name '],
  ['&nbsp;', '&nbsp;'],
])('entities in the name %p are decoded: %p', (written, name) => {
  expect(decodeEntities(written)).toBe(name)
  expect(decodeEntities(name)).toBe(name)
})

test('entities that are nested on purpose take a moment and leave none', () => {
  const before = cpuMs(() => {
    for (const part of ['&amp;', '&#38;', '&#38;#38;', 'amp;&']) {
      const name = decodeEntities(part.repeat(4_000))
      expect(decodeEntities(name)).toBe(name)
    }
  })
  expect(before).toBeLessThan(1_000)
})

/** CPU time of this process, which does not depend on other processes. */
function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
