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

const FACES = readFileSync(join(import.meta.dir, '../../src/web/style/face.css'), 'utf8')

/** Colors of drawn faces in both schemes: lightness, chroma, and degrees beside the hue of the game. */
const FACE = new Map(
  [...FACES.matchAll(/--(face-\w+): light-dark\(\s*(oklch[^,]*),\s*(oklch[^;]*)\);/g)].map(
    ([, name = '', ...pair]) => [name, pair.map(readOklch)] as const,
  ),
)

function readOklch(text: string) {
  const [lightness = 0, chroma = 0, turn = 0] = (text.match(/[\d.]+/g) ?? []).map(Number)
  return { lightness, chroma, turn }
}

/** Relative luminance of a color in OKLCH, clipped to sRGB (CSS Color 4, 10.2). */
function faceLuminance(name: string, scheme: number, hue: number): number {
  const color = FACE.get(name)?.[scheme]
  if (color === undefined) throw new Error(`unknown color ${name}`)
  const angle = ((hue + color.turn) * Math.PI) / 180
  const [a, b] = [color.chroma * Math.cos(angle), color.chroma * Math.sin(angle)]
  const long = (color.lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (color.lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (color.lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (part: number) => Math.min(1, Math.max(0, part))
  const red = clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)
  const green = clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)
  const blue = clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  return ratio(luminance(one), luminance(other))
}

function ratio(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
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

test.each([
  ['light', 0],
  ['dark', 1],
] as const)(
  'in the %s scheme, the text of a drawn face has at least 4.5 to 1 in any game',
  (_, scheme) => {
    const below = Array.from({ length: 360 }, (_, hue) => hue).filter((hue) =>
      ['face-light', 'face-ground', 'face-edge'].some(
        (ground) =>
          ratio(faceLuminance('face-ink', scheme, hue), faceLuminance(ground, scheme, hue)) < 4.5,
      ),
    )
    expect(below).toEqual([])
  },
)
