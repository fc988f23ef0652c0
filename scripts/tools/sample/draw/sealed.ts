import type { Sealed } from '../content/shape'
import { openCanvas } from './canvas'
import { artIn, type Easel, FACES } from './card'
import { type Face, fitted, type Lettering, label } from './lettering'
import type { Scene } from './scenery'
import {
  circle,
  darker,
  ellipse,
  group,
  lighter,
  path,
  polygon,
  rect,
  type Svg,
  stroke,
} from './svg'

/** Sealed products are photographed on a square, as shops do. */
const SEALED_SIZE = 560

/** How a game dresses its boxes. */
export interface Livery {
  title: string
  face: Face
  ground: string
  foil: string
}

export const LIVERIES = {
  wickerwild: {
    title: 'WICKERWILD',
    face: FACES.wickerwild.name,
    ground: '#eef3ea',
    foil: '#f4d27a',
  },
  vellum: {
    title: 'Vellum & Thorn',
    face: FACES.vellum.name,
    ground: '#f3ede2',
    foil: '#e6bd5a',
  },
  drift: {
    title: 'PERIHELION DRIFT',
    face: FACES.drift.name,
    ground: '#e6eaf0',
    foil: '#f0a030',
  },
} satisfies Record<string, Livery>

export interface SealedPicture {
  product: Sealed
  scene: Scene
  setName: string
  paint: string
  livery: Livery
}

/** A box, a carton, a tin or a deck, standing on plain ground. */
export function drawSealed(lettering: Lettering, picture: SealedPicture): Svg {
  const canvas = openCanvas(SEALED_SIZE, SEALED_SIZE, picture.product.name)
  const easel: Easel = { canvas, lettering }
  const { ground } = picture.livery
  const floor = rect(
    0,
    0,
    SEALED_SIZE,
    SEALED_SIZE,
    canvas.linear([lighter(ground, 0.5), darker(ground, 0.12)]),
  )
  return canvas.finish(floor + WRAPPINGS[picture.product.wrapping](easel, picture))
}

const WRAPPINGS: Readonly<
  Record<Sealed['wrapping'], (easel: Easel, picture: SealedPicture) => Svg>
> = {
  'booster box': boosterBox,
  case: carton,
  tin,
  deck,
}

interface Box {
  x: number
  y: number
  width: number
  height: number
  depth: number
}

/** Three sides of a box: the front as given, the top and the right side in plain colours. */
function box({ x, y, width, height, depth }: Box, front: Svg, side: Svg, top: Svg): Svg {
  const fall = 0.1
  const shadow = ellipse(
    x + width / 2 + depth * 0.3,
    y + height + width * fall * 0.7,
    width * 0.68,
    26,
    '#000000',
    {
      opacity: 0.16,
    },
  )
  const rightX = x + width
  const rightY = y + width * fall
  return (
    shadow +
    group({ transform: `matrix(1 ${fall} 0.45 -0.26 ${x} ${y})` }, top) +
    group({ transform: `matrix(0.45 -0.26 0 1 ${rightX} ${rightY})` }, side) +
    group({ transform: `matrix(1 ${fall} 0 1 ${x} ${y})` }, front)
  )
}

function boosterBox(easel: Easel, picture: SealedPicture): Svg {
  const { paint } = picture
  const { foil } = picture.livery
  const size = { x: 52, y: 176, width: 340, height: 262, depth: 200 }
  const front =
    facing(easel, picture, size.width, size.height) +
    label('BOOSTER BOX · 36 PACKS', FACES.drift.name, {
      x: size.width / 2,
      y: size.height - 14,
      size: 15,
      fill: foil,
      anchor: 'middle',
    })
  const side = rect(0, 0, 200, size.height, darker(paint, 0.35)) + rect(0, 40, 200, 12, foil)
  const top =
    rect(0, 0, size.width, 200, lighter(paint, 0.14)) +
    rect(0, 90, size.width, 20, foil) +
    rect(0, 96, size.width, 8, paint)
  return box(size, front, side, top)
}

function carton(easel: Easel, picture: SealedPicture): Svg {
  const board = '#b98a56'
  const { x, y, width, height, depth } = { x: 44, y: 190, width: 356, height: 250, depth: 230 }
  const { scene, product } = picture
  const window = { x: 20, y: 22, width: 148, height: 128 }
  const art = artIn(easel.canvas, product.art, scene, window, rect(20, 22, 148, 128, '#000000'))
  const arrows = stroke(
    'M 290 206 V 168 M 276 182 L 290 166 L 304 182 M 322 206 V 168 M 308 182 L 322 166 L 336 182',
    '#4a3016',
    6,
  )
  const line = (text: string, top: number, size: number, face: Face) =>
    label(text, face, { x: 184, y: top, size, fill: '#4a3016' })
  const front =
    rect(0, 0, width, height, board) +
    rect(12, 14, 164, 144, '#f6efe0') +
    art +
    line(picture.livery.title, 52, 22, picture.livery.face) +
    line(picture.setName, 82, 20, FACES.wickerwild.name) +
    line('CASE', 122, 30, FACES.drift.name) +
    line('6 BOOSTER BOXES', 148, 14, FACES.drift.name) +
    stroke('M 18 186 h 190 M 18 206 h 150 M 18 226 h 170', darker(board, 0.35), 7) +
    arrows
  const side = rect(0, 0, depth, height, darker(board, 0.25)) + rect(90, 0, 46, 90, '#d9c08a')
  const top =
    rect(0, 0, width, depth, lighter(board, 0.2)) +
    rect(0, 92, width, 44, '#e6d3a4', { opacity: 0.9 })
  return box({ x, y, width, height, depth }, front, side, top)
}

function tin(easel: Easel, picture: SealedPicture): Svg {
  const { paint } = picture
  const { foil } = picture.livery
  const window = { x: 150, y: 148, width: 260, height: 248 }
  const frame = [window.x, window.y, window.width, window.height] as const
  const shape = rect(...frame, '#000000', { rx: 26 })
  const metal = easel.canvas.linear([lighter(paint, 0.45), paint, darker(paint, 0.3)], -60)
  const lid = easel.canvas.linear(['#f4f6f8', '#aab2ba', '#e6eaee', '#8f979f'], -90)
  return (
    ellipse(284, 506, 214, 24, '#000000', { opacity: 0.18 }) +
    rect(84, 92, 392, 416, metal, { rx: 44 }) +
    rect(76, 72, 408, 52, lid, { rx: 24, stroke: '#6f777f', 'stroke-width': 2 }) +
    rect(96, 136, 368, 356, 'none', { rx: 32, stroke: foil, 'stroke-width': 4 }) +
    artIn(easel.canvas, picture.product.art, picture.scene, window, shape) +
    rect(...frame, 'none', { rx: 26, stroke: foil, 'stroke-width': 6 }) +
    titleLines(easel, picture, 280, 428, 300) +
    label('HOLIDAY TIN', FACES.drift.name, {
      x: 280,
      y: 482,
      size: 16,
      fill: foil,
      anchor: 'middle',
    }) +
    path('M 104 150 C 100 260 100 380 110 470 L 124 470 C 116 380 116 260 122 150 Z', '#ffffff', {
      opacity: 0.28,
    })
  )
}

function deck(easel: Easel, picture: SealedPicture): Svg {
  const { paint } = picture
  const { foil } = picture.livery
  const size = { x: 122, y: 104, width: 256, height: 360, depth: 110 }
  const theme = picture.product.name.split(' - ')[1] ?? 'Starter Deck'
  const front =
    facing(easel, picture, size.width, size.height) +
    polygon(
      [
        [0, size.height - 62],
        [size.width, size.height - 62],
        [size.width, size.height - 28],
        [0, size.height - 28],
      ],
      foil,
    ) +
    label(theme, FACES.vellum.name, {
      x: size.width / 2,
      y: size.height - 37,
      size: fitted(easel.lettering, theme, FACES.vellum.name, { width: 230, most: 25, least: 16 }),
      fill: darker(paint, 0.3),
      anchor: 'middle',
    }) +
    label('STARTER DECK', FACES.drift.name, {
      x: size.width / 2,
      y: size.height - 9,
      size: 14,
      fill: foil,
      anchor: 'middle',
    })
  const side =
    rect(0, 0, 110, size.height, darker(paint, 0.35)) + rect(20, 0, 10, size.height, foil)
  const top =
    rect(0, 0, size.width, 110, lighter(paint, 0.12)) +
    circle(size.width / 2, 0, 34, darker(paint, 0.4)) +
    rect(0, 100, size.width, 10, foil)
  return box(size, front, side, top)
}

/** The printed front that boxes and decks share: the art, and the names below it. */
function facing(easel: Easel, picture: SealedPicture, width: number, height: number): Svg {
  const { paint } = picture
  const { foil } = picture.livery
  const tall = height * 0.54
  const window = { x: 12, y: 12, width: width - 24, height: tall }
  const shape = rect(12, 12, width - 24, tall, '#000000')
  return (
    rect(0, 0, width, height, paint) +
    artIn(easel.canvas, picture.product.art, picture.scene, window, shape) +
    rect(12, 12, width - 24, tall, 'none', { stroke: foil, 'stroke-width': 4 }) +
    titleLines(easel, picture, width / 2, tall + 50, width - 40)
  )
}

function titleLines(
  easel: Easel,
  picture: SealedPicture,
  x: number,
  y: number,
  width: number,
): Svg {
  const { title, face, foil } = picture.livery
  const size = fitted(easel.lettering, title, face, { width, most: 38, least: 18 })
  return (
    label(title, face, { x, y, size, fill: foil, anchor: 'middle' }) +
    label(picture.setName, FACES.wickerwild.name, {
      x,
      y: y + 28,
      size: 21,
      fill: '#ffffff',
      anchor: 'middle',
    })
  )
}
