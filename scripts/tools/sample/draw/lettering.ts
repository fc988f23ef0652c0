import sharp from 'sharp'
import { escapeXml, type Svg, tag } from './svg'

/** A typeface in one weight. Families fall back to DejaVu where the wanted package is missing. */
export interface Face {
  family: string
  bold?: boolean
  italic?: boolean
}

export interface Lettering {
  widthOf(text: string, face: Face, size: number): number
}

/** A stretch of text in one style, as it came out of a product's HTML. */
interface Run {
  text: string
  bold: boolean
  italic: boolean
}

const MEASURED_AT = 100
const REPEATS = 8
// Small text is set on whole pixels, which makes it a little wider than its large measure.
const SLACK = 1.02

/**
 * Measures every character of the alphabet in every face, so that layout can then ask for widths
 * without waiting. Kerning is left out: it only ever makes a line shorter than was allowed for.
 */
export async function openLettering(faces: readonly Face[], alphabet: string): Promise<Lettering> {
  const widths = new Map<string, number>()
  for (const face of faces) {
    const rim = await inkWidth('HH', face)
    for (const character of new Set(alphabet)) {
      const wide = await inkWidth(`H${character.repeat(REPEATS)}H`, face)
      widths.set(keyOf(face, character), (wide - rim) / REPEATS / MEASURED_AT)
    }
  }

  function widthOf(text: string, face: Face, size: number): number {
    let total = 0
    for (const character of text) {
      const width = widths.get(keyOf(face, character))
      if (width === undefined) throw new Error(`"${character}" of "${text}" was not measured`)
      total += width
    }
    return total * size * SLACK
  }

  return { widthOf }
}

/** The largest size, within the bounds, at which the text fits the width. */
export function fitted(
  lettering: Lettering,
  text: string,
  face: Face,
  { width, most, least }: { width: number; most: number; least: number },
): number {
  const size = Math.min(most, (most * width) / lettering.widthOf(text, face, most))
  if (size < least) {
    throw new Error(`"${text}" does not fit at ${least} pixels. Is ${face.family} installed?`)
  }
  return Math.floor(size * 2) / 2
}

export function label(
  text: string,
  face: Face,
  {
    x,
    y,
    size,
    fill,
    anchor = 'start',
  }: {
    x: number
    y: number
    size: number
    fill: string
    anchor?: 'start' | 'middle' | 'end'
  },
): Svg {
  const attributes = { x, y, fill, 'font-size': size, 'text-anchor': anchor, ...fontOf(face) }
  return tag('text', attributes, escapeXml(text))
}

export interface Column {
  x: number
  y: number
  width: number
  fill: string
  face: Face
  size: number
  centred?: boolean
}

export interface Block {
  drawing: Svg
  height: number
}

/** Sets upstream's HTML (`<em>`, `<strong>`, `<br>`) as wrapped lines, from a top edge downwards. */
export function paragraph(lettering: Lettering, html: string, column: Column): Block {
  const { x, y, width, fill, face, size, centred = false } = column
  const leading = size * 1.24
  const lines = linesOf(html).flatMap((runs) => wrap(lettering, runs, { face, size, width }))
  const drawn = lines.map((runs, index) => {
    const spans = runs.map((run) => {
      const style = fontOf({ ...face, bold: run.bold, italic: run.italic })
      return tag('tspan', style, escapeXml(run.text))
    })
    const place = centred ? { x: x + width / 2, 'text-anchor': 'middle' } : { x }
    const text = { ...place, y: y + size + index * leading, fill, 'font-size': size }
    return tag('text', { ...text, 'xml:space': 'preserve' }, ...spans)
  })
  return { drawing: drawn.join(''), height: lines.length * leading }
}

const keyOf = (face: Face, character: string) =>
  `${face.family}/${face.bold === true}/${face.italic === true}/${character}`

const fontOf = (face: Face) => ({
  'font-family': `${face.family}, DejaVu Sans`,
  'font-weight': face.bold === true ? 700 : 400,
  'font-style': face.italic === true ? 'italic' : 'normal',
})

async function inkWidth(text: string, face: Face): Promise<number> {
  const style = `${face.bold === true ? ' Bold' : ''}${face.italic === true ? ' Italic' : ''}`
  const font = `${face.family}, DejaVu Sans${style} ${MEASURED_AT}`
  const image = sharp({ text: { text: escapeXml(text), font, dpi: 72, rgba: true } })
  const { width } = await image.metadata()
  return width
}

/** One list of runs for each line that the HTML itself breaks. */
function linesOf(html: string): Run[][] {
  const lines: Run[][] = [[]]
  const style = { bold: false, italic: false }
  for (const piece of html.replaceAll('\r\n', '').split(/(<[^>]+>)/)) {
    if (piece === '<br>') lines.push([])
    else if (piece === '<em>' || piece === '</em>') style.italic = piece === '<em>'
    else if (piece === '<strong>' || piece === '</strong>') style.bold = piece === '<strong>'
    else if (piece !== '') lines.at(-1)?.push({ text: piece, ...style })
  }
  return lines.filter((runs) => runs.length > 0)
}

function wrap(
  lettering: Lettering,
  runs: readonly Run[],
  { face, size, width }: { face: Face; size: number; width: number },
): Run[][] {
  const lines: Run[][] = [[]]
  let used = 0
  for (const run of runs) {
    const styled = { family: face.family, bold: run.bold, italic: run.italic }
    for (const word of run.text.split(/(?<= )/)) {
      const bare = lettering.widthOf(word.trimEnd(), styled, size)
      if (used + bare > width) {
        lines.push([])
        used = 0
      }
      append(lines.at(-1) ?? [], { ...run, text: word })
      used += lettering.widthOf(word, styled, size)
    }
  }
  return lines
}

function append(line: Run[], run: Run): void {
  const last = line.at(-1)
  if (last && last.bold === run.bold && last.italic === run.italic) last.text += run.text
  else line.push({ ...run })
}
