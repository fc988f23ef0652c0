import { type Canvas, openCanvas } from './canvas'
import type { Face, Lettering } from './lettering'
import type { Scene } from './scenery'
import { group, path, rect, repeat, type Svg } from './svg'

/** Every card's picture: 63 by 88, as the cardboard is. */
export const CARD = { width: 480, height: 670 } as const

/** What a frame is drawn with: the card's canvas and the measured typefaces. */
export interface Easel {
  canvas: Canvas
  lettering: Lettering
}

export interface Window {
  x: number
  y: number
  width: number
  height: number
}

/** The typefaces of the three games; the first of each is for names, the others for texts. */
export const FACES = {
  wickerwild: { name: { family: 'Quicksand', bold: true }, text: { family: 'Cabin' } },
  vellum: {
    name: { family: 'Linux Libertine O', bold: true },
    text: { family: 'Linux Libertine O' },
  },
  drift: {
    name: { family: 'B612', bold: true },
    text: { family: 'B612' },
    number: { family: 'B612 Mono', bold: true },
  },
} satisfies Record<string, Record<string, Face>>

export function allFaces(): Face[] {
  return Object.values(FACES).flatMap((game) =>
    Object.values<Face>(game).flatMap((face) =>
      face.bold === true ? [face] : [face, { ...face, bold: true }, { ...face, italic: true }],
    ),
  )
}

/** The name on the cardboard: what stands in brackets is the marketplace's word for a variant. */
export const printedName = (name: string) => name.replace(/ \([^)]*\)$/, '')

export const openEasel = (lettering: Lettering, seed: string): Easel => ({
  canvas: openCanvas(CARD.width, CARD.height, seed),
  lettering,
})

/**
 * The scene inside a window. The seed is the art's name, not the card's, so that a reprint shows
 * the same picture.
 */
export function artIn(canvas: Canvas, art: string, scene: Scene, window: Window, shape: Svg): Svg {
  const part = canvas.part(window.width, window.height, art)
  const drawing = scene(part).join('')
  const inside = group({ transform: `translate(${window.x} ${window.y})` }, drawing)
  return group({ 'clip-path': canvas.clip(shape) }, inside)
}

/** The slanted shimmer that a foil-only card shows over its art. */
export function shimmer(canvas: Canvas, { x, y, width, height }: Window, strength: number): Svg {
  const colors = ['#ff8fb8', '#ffe98f', '#8fffc8', '#8fd0ff', '#d8a0ff']
  const wide = width / 7
  const slats = repeat(12, (i) => {
    const left = x + (i - 3) * wide
    const d = `M ${left} ${y + height} L ${left + wide * 0.6} ${y + height} L ${left + wide * 3.6} ${y} L ${left + wide * 3} ${y} Z`
    return path(d, colors[i % colors.length] ?? '#ffffff', { opacity: strength })
  })
  return group({ 'clip-path': canvas.clip(rect(x, y, width, height, '#000000')) }, slats)
}
