import type { CardSet } from '../../content/shape'
import type { Ink, VellumCard } from '../../content/vellum-and-thorn'
import {
  artIn,
  CARD,
  type Easel,
  FACES,
  openEasel,
  printedName,
  shimmer,
  type Window,
} from '../card'
import { fitted, type Lettering, label, paragraph } from '../lettering'
import {
  circle,
  darker,
  group,
  lighter,
  path,
  polygon,
  rect,
  repeat,
  type Svg,
  starPoints,
  stroke,
} from '../svg'
import { VELLUM_SCENES } from './scenes'

const { name: NAME, text: TEXT } = FACES.vellum
const ITALIC = { ...TEXT, italic: true }
const LINE = '#26190f'

/** The Ninth Library prints on parchment with gold, Drowned Abbey on sea-washed paper with silver. */
const PAPERS = {
  parchment: { page: '#f3e6c6', box: '#fbf3dd', metal: '#e6bd5a', corner: 'leaf' },
  washed: { page: '#cfe0dc', box: '#eef6f2', metal: '#b4dcdc', corner: 'shell' },
} as const

const LEATHERS: Readonly<Record<Ink | 'Plain', string>> = {
  Soot: '#3b3743',
  Verdigris: '#3c7360',
  Cobalt: '#2f5a94',
  Saffron: '#c98f26',
  Madder: '#a03a30',
  Plain: '#8a7660',
}

const DROPS: Readonly<Record<string, Ink>> = {
  B: 'Soot',
  V: 'Verdigris',
  C: 'Cobalt',
  S: 'Saffron',
  M: 'Madder',
}

const GEMS = { C: '#3a3230', U: '#b9c2cc', R: '#e0b040', L: '#e0543f' }

/** One Vellum & Thorn card: a page with its picture under an arch and its name on a ribbon. */
export function drawVellumCard(
  lettering: Lettering,
  card: VellumCard,
  set: CardSet<VellumCard>,
): Svg {
  const easel = openEasel(lettering, `${set.abbreviation} ${card.number}`)
  const leather = LEATHERS[card.ink]
  const body = card.fullArt === true ? borderless(easel, card) : bound(easel, card, set, leather)
  return easel.canvas.finish(
    body +
      cost(card.cost) +
      ribbon(easel, card, leather) +
      typeLine(card) +
      texts(easel, card) +
      strength(card, leather) +
      colophon(card, set),
  )
}

function bound(easel: Easel, card: VellumCard, set: CardSet<VellumCard>, leather: string): Svg {
  const window: Window = { x: 36, y: 32, width: 408, height: 338 }
  const arch = `M 36 370 L 36 150 C 36 60 140 32 240 32 C 340 32 444 60 444 150 L 444 370 Z`
  const { page, box, metal, corner } = PAPERS[set.abbreviation === 'NLB' ? 'parchment' : 'washed']
  const foil = card.prices.Normal === undefined || card.rarity === 'L'
  return (
    rect(0, 0, CARD.width, CARD.height, leather) +
    rect(8, 8, 464, 654, 'none', { stroke: metal, 'stroke-width': 2.5, rx: 10 }) +
    rect(20, 20, 440, 630, page, { rx: 4, stroke: LINE, 'stroke-width': 2.5 }) +
    corners(metal, leather, corner) +
    artIn(easel.canvas, card.art, VELLUM_SCENES[card.art], window, path(arch, '#000000')) +
    (foil
      ? group(
          { 'clip-path': easel.canvas.clip(path(arch, '#000000')) },
          shimmer(easel.canvas, window, 0.08),
        )
      : '') +
    path(arch, 'none', { stroke: metal, 'stroke-width': 7 }) +
    path(arch, 'none', { stroke: LINE, 'stroke-width': 2 }) +
    rect(34, 452, 412, 150, box, { stroke: '#b79a62', 'stroke-width': 1.6 })
  )
}

function borderless(easel: Easel, card: VellumCard): Svg {
  const window: Window = { x: 0, y: 0, width: CARD.width, height: CARD.height }
  const shape = rect(0, 0, CARD.width, CARD.height, '#000000')
  return (
    artIn(easel.canvas, card.art, VELLUM_SCENES[card.art], window, shape) +
    shimmer(easel.canvas, window, 0.08) +
    rect(20, 420, 440, 230, '#fbf3dd', { rx: 8, opacity: 0.88, stroke: LINE, 'stroke-width': 2 })
  )
}

/** A leaf or a shell in the gaps that the arch leaves above it. */
function corners(metal: string, leather: string, motif: 'leaf' | 'shell'): Svg {
  const leaf =
    path('M 30 30 C 60 26 78 34 84 50 C 64 56 42 50 30 30 Z', leather) +
    path('M 30 30 C 26 60 34 78 50 84 C 56 64 50 42 30 30 Z', leather) +
    circle(36, 36, 6, metal, { stroke: LINE, 'stroke-width': 1.6 })
  const ribs = repeat(5, (i) => {
    const turn = `rotate(${12 + i * 16.5} 30 30)`
    return path('M 30 30 L 86 25 A 60 60 0 0 1 86 37 Z', i % 2 === 0 ? leather : metal, {
      transform: turn,
    })
  })
  const shell = ribs + circle(33, 33, 7, metal, { stroke: LINE, 'stroke-width': 1.6 })
  const corner = motif === 'leaf' ? leaf : shell
  return corner + group({ transform: `translate(${CARD.width} 0) scale(-1 1)` }, corner)
}

/** The price in ink, one drop under the other down the left edge of the page. */
function cost(written: string): Svg {
  const pieces = written.match(/\/\/|./g) ?? []
  return pieces
    .map((piece, i) => {
      const y = 96 + i * 38
      if (piece === '//') return stroke(`M 32 ${y + 10} L 48 ${y - 10}`, '#fbf3dd', 5)
      const ink = DROPS[piece]
      const color = ink === undefined ? '#e9dcc0' : LEATHERS[ink]
      const drop = `M 40 ${y - 23} C 46 ${y - 12} 56 ${y - 6} 56 ${y + 3} A 16 16 0 0 1 24 ${y + 3} C 24 ${y - 6} 34 ${y - 12} 40 ${y - 23} Z`
      const face = ink === undefined ? LINE : '#ffffff'
      return (
        path(drop, color, { stroke: LINE, 'stroke-width': 2.6 }) +
        label(piece, NAME, { x: 40, y: y + 10, size: 20, fill: face, anchor: 'middle' })
      )
    })
    .join('')
}

function ribbon({ lettering }: Easel, card: VellumCard, leather: string): Svg {
  const name = printedName(card.name)
  const size = fitted(lettering, name, NAME, { width: 372, most: 36, least: 26 })
  const pale = lighter(leather, 0.82)
  const end = 'M 22 384 L 6 394 L 20 402 L 6 412 L 22 422 Z'
  return (
    path(end, darker(leather, 0.15), { stroke: LINE, 'stroke-width': 2 }) +
    path(end, darker(leather, 0.15), {
      stroke: LINE,
      'stroke-width': 2,
      transform: `translate(${CARD.width} 0) scale(-1 1)`,
    }) +
    rect(18, 376, 444, 46, pale, { stroke: LINE, 'stroke-width': 2.5 }) +
    rect(23, 381, 434, 36, 'none', { stroke: leather, 'stroke-width': 1.6 }) +
    label(name, NAME, { x: 240, y: 399 + size * 0.32, size, fill: LINE, anchor: 'middle' })
  )
}

const typeLine = (card: VellumCard) =>
  label(card.subType, ITALIC, { x: 240, y: 444, size: 20, fill: LINE, anchor: 'middle' })

function texts({ lettering }: Easel, card: VellumCard): Svg {
  const room = card.power === undefined ? 142 : 134
  for (const size of [21, 20, 19, 18, 17, 16]) {
    const column = { x: 46, width: 388, fill: LINE, face: TEXT, size }
    const rules = paragraph(lettering, card.oracle, { ...column, y: 0 })
    const flavor =
      card.flavor === undefined ? '' : `<em>${card.flavor.replaceAll(/<\/?em>/g, '')}</em>`
    const saying = paragraph(lettering, flavor, { ...column, y: rules.height + 14, centred: true })
    const height = rules.height + (flavor === '' ? 0 : 14 + saying.height)
    if (height > room) continue
    const line = stroke(`M 150 ${rules.height + 9} H 330`, '#b79a62', 1.6)
    const drawing = rules.drawing + (flavor === '' ? '' : line + saying.drawing)
    return group({ transform: `translate(0 ${456 + (room - height) / 2})` }, drawing)
  }
  throw new Error(`the text of ${card.name} is too long for its card`)
}

/** Power and toughness, pressed into wax. */
function strength({ power, toughness }: VellumCard, leather: string): Svg {
  if (power === undefined || toughness === undefined) return ''
  const wax = lighter(leather, 0.06)
  return (
    polygon(starPoints(418, 626, 33, 28, 13), darker(wax, 0.2), {
      stroke: darker(wax, 0.2),
      'stroke-width': 6,
      'stroke-linejoin': 'round',
    }) +
    circle(418, 626, 25, wax) +
    label(`${power}/${toughness}`, NAME, {
      x: 418,
      y: 634,
      size: 25,
      fill: '#ffffff',
      anchor: 'middle',
    })
  )
}

function colophon(card: VellumCard, set: CardSet<VellumCard>): Svg {
  const gem = polygon('140,620 151,632 140,644 129,632', GEMS[card.rarity], {
    stroke: LINE,
    'stroke-width': 2,
  })
  return (
    label(`No. ${card.number}`, NAME, { x: 36, y: 640, size: 24, fill: LINE }) +
    gem +
    label(`${set.abbreviation} · ${card.rarity}`, NAME, { x: 160, y: 640, size: 20, fill: LINE })
  )
}
