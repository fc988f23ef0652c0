// Contrast of text and lines in both color schemes.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const TOKENS = readFileSync(join(import.meta.dir, '../../src/web/style/tokens.css'), 'utf8')

/** Colors of both schemes: `--name: light-dark(#light, #dark);`. */
const COLORS = [
  ...TOKENS.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g),
].map(([, name = '', light = '', dark = '']) => ({ name, light, dark }))

const SCHEMES = {
  light: new Map(COLORS.map(({ name, light }) => [name, light])),
  dark: new Map(COLORS.map(({ name, dark }) => [name, dark])),
}

const GROUNDS = ['ground', 'surface', 'sunken']

/** Text colors and their backgrounds. */
const WRITTEN: [ink: string, grounds: string[]][] = [
  ['ink', [...GROUNDS, 'accent-soft', 'up-soft', 'down-soft', 'warn-soft']],
  ['ink-soft', GROUNDS],
  ['accent', [...GROUNDS, 'accent-soft']],
  ['accent-ink', ['accent']],
  ['up', ['surface', 'ground', 'up-soft']],
  ['down', ['surface', 'ground', 'down-soft']],
  ['warn', ['surface', 'ground', 'warn-soft']],
]

/** Meaningful lines need 3 to 1 (WCAG 2.2, 1.4.11). */
const DRAWN: [line: string, grounds: string[]][] = [
  ...['series-1', 'series-2', 'series-3', 'series-4', 'series-5'].map(
    (line): [string, string[]] => [line, ['surface']],
  ),
  ['line-strong', ['surface', 'ground']],
]

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

test('contrast matches WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe.each(Object.entries(SCHEMES))('in the %s scheme', (_, colors) => {
  const of = (name: string) => {
    const value = colors.get(name)
    if (value === undefined) throw new Error(`unknown color ${name}`)
    return value
  }
  const below = (pairs: typeof WRITTEN, least: number) =>
    pairs.flatMap(([ink, grounds]) =>
      grounds
        .map((ground) => ({ ink, ground, ratio: contrast(of(ink), of(ground)) }))
        .filter(({ ratio }) => ratio < least),
    )

  test('text has at least 4.5 to 1', () => expect(below(WRITTEN, 4.5)).toEqual([]))
  test('lines with a meaning have at least 3 to 1', () => expect(below(DRAWN, 3)).toEqual([]))
})
