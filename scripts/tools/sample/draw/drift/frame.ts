import type { DriftCard } from '../../content/perihelion-drift'
import type { CardSet } from '../../content/shape'
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
import { darker, group, lighter, mix, path, polygon, rect, repeat, type Svg, stroke } from '../svg'
import { DRIFT_SCENES } from './scenes'

const { name: NAME, text: TEXT, number: NUMBER } = FACES.drift
const NIGHT = '#161b2c'
const PAPER = '#eceff2'

const COLORS: Readonly<Record<DriftCard['color'], string>> = {
  Amber: '#e08a1e',
  Teal: '#12929a',
  Violet: '#7a4fc0',
  Slate: '#64748b',
}

const BARS = { Standard: 1, Officer: 2, Flag: 3, 'Black Box': 4 }

/** One Perihelion Drift card: a page of the ship's file, stamped and numbered. */
export function drawDriftCard(lettering: Lettering, card: DriftCard, set: CardSet<DriftCard>): Svg {
  const easel = openEasel(lettering, `${set.abbreviation} ${card.number}`)
  const tint = COLORS[card.color]
  const body = card.fullArt === true ? wholeSheet(easel, card) : filed(easel, card, tint)
  return easel.canvas.finish(
    body +
      costPlate(card, tint) +
      namePlate(easel, card, tint) +
      figures(card, tint) +
      report(easel, card) +
      serial(card, set, tint),
  )
}

function filed(easel: Easel, card: DriftCard, tint: string): Svg {
  const window: Window = { x: 26, y: 14, width: 440, height: 368 }
  const cut = path('M 26 14 H 436 L 466 44 V 382 H 26 Z', '#000000')
  const foil = card.prices.Normal === undefined
  return (
    rect(0, 0, CARD.width, CARD.height, PAPER) +
    rect(0, 0, 14, CARD.height, tint) +
    repeat(22, (i) => rect(14, 10 + i * 30, i % 5 === 0 ? 9 : 5, 2, mix(tint, '#000000', 0.3))) +
    polygon('442,0 480,0 480,38', tint) +
    artIn(easel.canvas, card.art, DRIFT_SCENES[card.art], window, cut) +
    (foil
      ? group({ 'clip-path': easel.canvas.clip(cut) }, shimmer(easel.canvas, window, 0.08))
      : '') +
    path('M 26 14 H 436 L 466 44 V 382 H 26 Z', 'none', { stroke: NIGHT, 'stroke-width': 3 }) +
    brackets()
  )
}

function wholeSheet(easel: Easel, card: DriftCard): Svg {
  const window: Window = { x: 0, y: 0, width: CARD.width, height: CARD.height }
  const shape = rect(0, 0, CARD.width, CARD.height, '#000000')
  return (
    artIn(easel.canvas, card.art, DRIFT_SCENES[card.art], window, shape) +
    shimmer(easel.canvas, window, 0.08) +
    rect(14, 448, 452, 208, PAPER, { opacity: 0.9, rx: 4 })
  )
}

const brackets = () =>
  stroke('M 40 48 V 28 H 60 M 452 348 V 368 H 432 M 40 348 V 368 H 60', '#ffffff', 3, {
    opacity: 0.85,
  })

function costPlate(card: DriftCard, tint: string): Svg {
  const [x, y, r] = [58, 50, 28]
  const hexagon = repeat(6, (i) => {
    const angle = (i * Math.PI) / 3
    return `${i === 0 ? 'M' : 'L'} ${x + r * Math.cos(angle)} ${y + r * Math.sin(angle)} `
  })
  return (
    path(`${hexagon}Z`, NIGHT, { stroke: '#ffffff', 'stroke-width': 3 }) +
    label(String(card.cost), NUMBER, {
      x,
      y: y + 11,
      size: 32,
      fill: lighter(tint, 0.55),
      anchor: 'middle',
    })
  )
}

function namePlate({ lettering }: Easel, card: DriftCard, tint: string): Svg {
  const name = printedName(card.name)
  const size = fitted(lettering, name, NAME, { width: 412, most: 31, least: 24 })
  return (
    polygon('20,392 480,392 480,436 34,436', NIGHT) +
    rect(20, 436, 460, 5, tint) +
    label(name, NAME, { x: 46, y: 414 + size * 0.37, size, fill: '#ffffff' })
  )
}

/** What the card is, and its figures in boxes. */
function figures(card: DriftCard, tint: string): Svg {
  const values: readonly (readonly [string, number | undefined])[] = [
    ['LV', card.level],
    ['ATK', card.attack],
    ['DEF', card.defense],
    ['PWR', card.power],
  ]
  const known = values.filter(([, value]) => value !== undefined)
  const boxes = known
    .map(([title, value], i) => {
      const x = 464 - (known.length - i) * 72
      return (
        rect(x, 450, 67, 30, '#ffffff', { stroke: tint, 'stroke-width': 2, rx: 3 }) +
        label(title, NAME, { x: x + 6, y: 470, size: 12, fill: darker(tint, 0.3) }) +
        label(String(value), NUMBER, { x: x + 61, y: 473, size: 22, fill: NIGHT, anchor: 'end' })
      )
    })
    .join('')
  return (
    label(card.kind.toUpperCase(), NAME, { x: 34, y: 464, size: 16, fill: darker(tint, 0.25) }) +
    label(card.attribute, TEXT, { x: 34, y: 481, size: 15, fill: NIGHT }) +
    boxes
  )
}

function report({ lettering }: Easel, card: DriftCard): Svg {
  const room = 120
  for (const size of [18, 17, 16, 15, 14]) {
    const column = { x: 34, y: 0, width: 424, fill: NIGHT, face: TEXT, size }
    const { drawing, height } = paragraph(lettering, card.description, column)
    if (height > room) continue
    return group({ transform: `translate(0 ${488 + (room - height) / 2})` }, drawing)
  }
  throw new Error(`the text of ${card.name} is too long for its card`)
}

function serial(card: DriftCard, set: CardSet<DriftCard>, tint: string): Svg {
  const bars = repeat(BARS[card.rarity], (i) =>
    rect(442 - i * 13, 626, 8, 22, card.rarity === 'Black Box' ? NIGHT : tint),
  )
  return (
    stroke('M 34 614 H 458', NIGHT, 1.6) +
    label(card.number, NUMBER, { x: 34, y: 646, size: 26, fill: NIGHT }) +
    label(set.name.toUpperCase(), NAME, {
      x: 190,
      y: 644,
      size: 15,
      fill: mix(NIGHT, '#ffffff', 0.35),
    }) +
    bars
  )
}
