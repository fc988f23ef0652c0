import type { CardSet } from '../../content/shape'
import type { Attack, Element, WickerwildCard } from '../../content/wickerwild'
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
  mix,
  path,
  placed,
  polygon,
  rect,
  repeat,
  type Svg,
  starPoints,
  stroke,
} from '../svg'
import { WICKERWILD_SCENES } from './scenes'

const { name: NAME, text: TEXT } = FACES.wickerwild
const BOLD = { ...TEXT, bold: true }
const INK = '#2b1f26'

const ELEMENTS: Readonly<Record<Element | 'Errand', string>> = {
  Ember: '#d9512c',
  Tide: '#2f86b8',
  Moss: '#4f8f3a',
  Gale: '#7f94b8',
  Loam: '#a5763f',
  Dusk: '#6a4a94',
  Errand: '#b8923a',
}

const LETTERS: Readonly<Record<string, Element>> = {
  E: 'Ember',
  T: 'Tide',
  M: 'Moss',
  G: 'Gale',
  L: 'Loam',
  D: 'Dusk',
}

const LANTERNS = { Common: 1, Uncommon: 2, Rare: 3, 'Holo Rare': 3, 'Secret Rare': 4, Promo: 4 }

/** One Wickerwild card: a picture in a basket-work border. */
export function drawWickerwildCard(
  lettering: Lettering,
  card: WickerwildCard,
  set: CardSet<WickerwildCard>,
): Svg {
  const easel = openEasel(lettering, `${set.abbreviation} ${card.number}`)
  const tint = ELEMENTS[card.element]
  const body = card.fullArt === true ? fullArt(easel, card, tint) : framed(easel, card, set, tint)
  return easel.canvas.finish(body + titleBar(easel, card, tint) + footer(card, set))
}

function framed(
  easel: Easel,
  card: WickerwildCard,
  set: CardSet<WickerwildCard>,
  tint: string,
): Svg {
  const window: Window = { x: 34, y: 80, width: 412, height: 296 }
  const shape = rect(window.x, window.y, window.width, window.height, '#000000', { rx: 14 })
  const panel = mix(tint, '#fff8ea', 0.8)
  const foil = card.prices.Normal === undefined && card.prices.Unlimited === undefined
  const scene = WICKERWILD_SCENES[card.art]
  return (
    basketWork(set.abbreviation === 'LSN' ? '#d9ae66' : '#8fc4c0', tint) +
    rect(20, 20, 440, 630, panel, { rx: 16, stroke: darker(tint, 0.35), 'stroke-width': 3 }) +
    artIn(easel.canvas, card.art, scene, window, shape) +
    (foil ? shimmer(easel.canvas, window, 0.08) : '') +
    rect(window.x, window.y, window.width, window.height, 'none', {
      rx: 14,
      stroke: darker(tint, 0.3),
      'stroke-width': 4,
    }) +
    kindStrip(card, tint) +
    rules(easel, card, 402, 182)
  )
}

function fullArt(easel: Easel, card: WickerwildCard, tint: string): Svg {
  const window: Window = { x: 0, y: 0, width: CARD.width, height: CARD.height }
  const shape = rect(0, 0, CARD.width, CARD.height, '#000000')
  return (
    artIn(easel.canvas, card.art, WICKERWILD_SCENES[card.art], window, shape) +
    shimmer(easel.canvas, window, 0.08) +
    rect(6, 6, 468, 658, 'none', { rx: 18, stroke: '#f4d98a', 'stroke-width': 10 }) +
    rect(24, 478, 432, 172, '#fffaf0', { rx: 14, opacity: 0.84 }) +
    rect(24, 478, 432, 172, 'none', { rx: 14, stroke: tint, 'stroke-width': 3 }) +
    rules(easel, card, 482, 104)
  )
}

/** Strands over and under each other, all round the card. */
function basketWork(straw: string, tint: string): Svg {
  const size = 20
  const strand = (x: number, y: number, upright: boolean) => {
    const color = upright ? straw : mix(straw, tint, 0.35)
    const place = upright ? [x + 1, y - 1, size - 2, size + 2] : [x - 1, y + 1, size + 2, size - 2]
    const [left = 0, top = 0, width = 0, height = 0] = place
    return rect(left, top, width, height, color, {
      rx: 6,
      stroke: darker(straw, 0.4),
      'stroke-width': 1,
    })
  }
  const columns = CARD.width / size
  const rows = Math.ceil(CARD.height / size)
  const across = repeat(
    columns,
    (i) => strand(i * size, 0, i % 2 === 0) + strand(i * size, CARD.height - size, i % 2 === 1),
  )
  const down = repeat(
    rows,
    (i) => strand(0, i * size, i % 2 === 0) + strand(CARD.width - size, i * size, i % 2 === 1),
  )
  return rect(0, 0, CARD.width, CARD.height, darker(straw, 0.45)) + across + down
}

function titleBar({ lettering }: Easel, card: WickerwildCard, tint: string): Svg {
  const width = card.hp === undefined ? 358 : 276
  const name = printedName(card.name)
  const size = fitted(lettering, name, NAME, { width, most: 32, least: 24 })
  const plate = rect(28, 26, 424, 48, mix(tint, '#fffdf4', 0.86), {
    rx: 24,
    stroke: darker(tint, 0.25),
    'stroke-width': 2.5,
  })
  const points = card.hp === undefined ? '' : String(card.hp)
  const left = 402 - lettering.widthOf(points, NAME, 28)
  const health =
    label(points, NAME, { x: 406, y: 60, size: 28, fill: INK, anchor: 'end' }) +
    (points === ''
      ? ''
      : label('HP', BOLD, { x: left, y: 60, size: 15, fill: tint, anchor: 'end' }))
  const emblem = card.element === 'Errand' ? scroll(429, 50) : mark(429, 50, 17, card.element)
  return (
    plate + label(name, NAME, { x: 44, y: 50 + size * 0.35, size, fill: INK }) + health + emblem
  )
}

function kindStrip(card: WickerwildCard, tint: string): Svg {
  const kind = card.stage === undefined ? 'Errand' : `${card.stage} · ${card.element}`
  return (
    rect(120, 363, 240, 27, darker(tint, 0.15), { rx: 13, stroke: '#fff3d8', 'stroke-width': 2 }) +
    label(kind, BOLD, { x: 240, y: 382, size: 16, fill: '#fff8ea', anchor: 'middle' })
  )
}

/** The text and the attacks, as large as the room allows. */
function rules({ lettering }: Easel, card: WickerwildCard, top: number, room: number): Svg {
  for (const size of [19, 18, 17, 16, 15, 14]) {
    const { drawing, height } = rulesAt(lettering, card, size)
    if (height > room) continue
    return group({ transform: `translate(0 ${top + (room - height) / 2})` }, drawing)
  }
  throw new Error(`the text of ${card.name} is too long for its card`)
}

function rulesAt(lettering: Lettering, card: WickerwildCard, size: number) {
  const column = { x: 40, width: 400, fill: INK, face: TEXT, size }
  let drawing = ''
  let height = 0
  if (card.text !== undefined) {
    const text = paragraph(lettering, card.text, { ...column, y: 0 })
    drawing += text.drawing
    height += text.height + 8
  }
  for (const attack of card.attacks ?? []) {
    drawing += attackLine(attack, height)
    height += 30
    if (attack.text !== undefined) {
      const text = paragraph(lettering, attack.text, { ...column, y: height })
      drawing += text.drawing
      height += text.height
    }
    height += 8
  }
  return { drawing, height }
}

function attackLine(attack: Attack, top: number): Svg {
  const marks = [...attack.cost]
    .map((letter, i) => mark(52 + i * 23, top + 15, 10.5, letter))
    .join('')
  const x = 52 + attack.cost.length * 23
  const damage = attack.damage ?? ''
  return (
    marks +
    label(attack.name, NAME, { x, y: top + 22, size: 20, fill: INK }) +
    label(damage, NAME, { x: 440, y: top + 24, size: 25, fill: INK, anchor: 'end' })
  )
}

function footer(card: WickerwildCard, set: CardSet<WickerwildCard>): Svg {
  const lanterns = repeat(LANTERNS[card.rarity], (i) => lantern(118 + i * 19, 633, card.rarity))
  return (
    duelFacts(card) +
    stroke('M 38 615 H 442', mix(INK, '#ffffff', 0.6), 1.4) +
    rect(36, 621, 62, 24, INK, { rx: 6 }) +
    label(set.abbreviation, NAME, { x: 67, y: 639, size: 18, fill: '#fff8ea', anchor: 'middle' }) +
    lanterns +
    label(card.number, NAME, { x: 442, y: 641, size: 24, fill: INK, anchor: 'end' })
  )
}

/** Weakness, resistance and retreat, each with the mark that it is about. */
function duelFacts({ weakness, resistance, retreat }: WickerwildCard): Svg {
  const versus = (x: number, title: string, value: string | undefined) =>
    label(title, TEXT, { x, y: 606, size: 15, fill: INK }) +
    (value === undefined
      ? label('–', BOLD, { x: x + 76, y: 606, size: 16, fill: INK })
      : mark(x + 84, 601, 9.5, value) +
        label(value.slice(1), BOLD, { x: x + 98, y: 607, size: 16, fill: INK }))
  if (retreat === undefined) return ''
  return (
    versus(40, 'Weakness', weakness) +
    versus(182, 'Resistance', resistance) +
    label('Retreat', TEXT, { x: 330, y: 606, size: 15, fill: INK }) +
    (retreat === 0
      ? label('free', BOLD, { x: 386, y: 606, size: 15, fill: INK })
      : repeat(retreat, (i) => mark(392 + i * 15, 601, 6, '')))
  )
}

function lantern(x: number, y: number, rarity: WickerwildCard['rarity']): Svg {
  const light =
    rarity === 'Common' || rarity === 'Uncommon' || rarity === 'Rare' ? '#fff3d0' : '#f5b92f'
  return (
    rect(x - 5, y - 6, 10, 14, light, { stroke: INK, 'stroke-width': 2, rx: 3 }) +
    stroke(`M ${x - 4} ${y - 8} Q ${x} ${y - 14} ${x + 4} ${y - 8}`, INK, 2)
  )
}

/** The mark of an element, or a plain stone with a number for marks of any element. */
function mark(x: number, y: number, r: number, letter: string): Svg {
  const element = LETTERS[letter] ?? LETTERS[letter.slice(0, 1)]
  if (element === undefined) {
    const size = r * 1.5
    return (
      circle(x, y, r, '#e9e2d4', { stroke: INK, 'stroke-width': 1.6 }) +
      label(letter, NAME, { x, y: y + size * 0.36, size, fill: INK, anchor: 'middle' })
    )
  }
  const color = ELEMENTS[element]
  return (
    circle(x, y, r, color, { stroke: darker(color, 0.4), 'stroke-width': 1.6 }) +
    placed(x, y, { scale: r / 12 }, SIGNS[element])
  )
}

const PALE = '#fffaf0'
const SIGNS: Readonly<Record<Element, Svg>> = {
  Ember: path('M 0 7 C -7 6 -6 -1 -1 -8 C 0 -3 6 -1 5 4 C 4 7 2 7 0 7 Z', PALE),
  Tide: stroke('M -7 -2 q 3.5 -5 7 0 q 3.5 5 7 0 M -7 4 q 3.5 -5 7 0 q 3.5 5 7 0', PALE, 2.2),
  Moss: path('M -6 6 C -8 -4 2 -8 7 -6 C 8 2 2 8 -6 6 Z', PALE),
  Gale: stroke('M -7 -3 H 3 q 4 -1 2 -4 M -7 1 H 6 M -7 5 H 2 q 4 0 2 4', PALE, 2),
  Loam: polygon('-8,6 -2,-6 2,1 5,-3 8,6', PALE),
  Dusk: path('M 3 -8 A 8 8 0 1 0 7 4 A 7 7 0 0 1 3 -8 Z', PALE),
}

const scroll = (x: number, y: number) =>
  circle(x, y, 17, '#b8923a', { stroke: '#6b4f17', 'stroke-width': 1.6 }) +
  polygon(starPoints(x, y, 12, 5, 5), lighter('#f4d98a', 0.4))
