import {
  circle,
  darker,
  ellipse,
  group,
  lighter,
  type Point,
  path,
  placed,
  polygon,
  rect,
  repeat,
  type Svg,
  starPoints,
  stroke,
} from '../svg'
import { eye, INK, mirrored } from './anatomy'

/*
 * The furred creatures of the garden wall. Each stands with its feet at (0, 0) and is some 150 units high, so that a scene can set it
 * down anywhere with `put`.
 */

export interface Fox {
  fur: string
  cream: string
  tails: number
  mane?: string
  hat?: Svg
}

export function fox({ fur, cream, tails, mane, hat = '' }: Fox): Svg {
  const dark = darker(fur, 0.35)
  const plumes = repeat(tails, (i) => {
    const turn = tails === 1 ? 18 : -52 + (i * 108) / (tails - 1)
    const plume =
      path('M 0 0 C 44 -6 66 -50 30 -116 C 4 -86 -22 -52 0 0 Z', fur) +
      path('M 18 -62 C 40 -70 42 -98 30 -116 C 14 -98 6 -84 18 -62 Z', '#ffd45e') +
      path('M 24 -84 C 36 -90 34 -104 30 -114 C 22 -104 18 -94 24 -84 Z', '#fff4c2')
    return placed(30, -26, { turn }, plume)
  })
  const ear =
    polygon('-50,-112 -60,-166 -16,-132', fur) + polygon('-46,-120 -54,-152 -26,-132', dark)
  const face =
    path(
      'M -66 -94 Q -56 -136 -12 -136 Q 34 -136 42 -94 Q 20 -62 -12 -58 Q -46 -62 -66 -94 Z',
      fur,
    ) +
    path(
      'M -66 -94 Q -40 -98 -26 -80 Q -12 -94 2 -80 Q 16 -98 42 -94 Q 20 -62 -12 -58 Q -46 -62 -66 -94 Z',
      cream,
    ) +
    ellipse(-12, -78, 7, 5, INK) +
    stroke('M -12 -74 L -12 -69 M -22 -68 Q -12 -62 -2 -68', INK, 2.4) +
    eye(-34, -98, 9) +
    eye(10, -98, 9)
  return (
    plumes +
    path('M -42 0 C -54 -44 -30 -84 4 -82 C 42 -80 58 -34 48 0 Z', fur) +
    path('M -30 -8 C -34 -44 -22 -66 -8 -66 C 8 -66 14 -40 10 -8 Z', cream) +
    rect(-36, -34, 18, 36, fur, { rx: 9 }) +
    rect(-2, -34, 18, 36, fur, { rx: 9 }) +
    ellipse(-27, 0, 12, 7, dark) +
    ellipse(7, 0, 12, 7, dark) +
    (mane === undefined ? '' : polygon(starPoints(-12, -98, 74, 50, 15), mane)) +
    ear +
    group({ transform: 'translate(-24 0) scale(-1 1)' }, ear) +
    face +
    hat
  )
}

export function kettlePup(copper: string): Svg {
  const shade = darker(copper, 0.3)
  const ear = path('M 40 -108 C 78 -114 84 -74 66 -58 C 56 -72 44 -86 40 -108 Z', shade)
  return (
    stroke('M -58 -70 C -70 -176 70 -176 58 -70', darker(copper, 0.5), 9) +
    path('M 54 -62 C 84 -64 84 -104 104 -112 L 112 -98 C 98 -88 100 -44 60 -30 Z', shade) +
    ellipse(0, -56, 72, 58, copper) +
    ellipse(-24, -82, 22, 13, lighter(copper, 0.5), { opacity: 0.7 }) +
    mirrored(rect(16, -12, 26, 16, shade, { rx: 8 })) +
    mirrored(ear) +
    ellipse(0, -108, 40, 11, shade) +
    path('M -36 -110 Q 0 -138 36 -110 Z', copper) +
    circle(0, -131, 8, '#f7e3b5') +
    ellipse(0, -44, 26, 19, lighter(copper, 0.62)) +
    ellipse(0, -52, 9, 6.5, INK) +
    stroke('M 0 -46 L 0 -38 M -12 -37 Q 0 -28 12 -37', INK, 2.6) +
    mirrored(eye(25, -72, 10))
  )
}

export function mossBear(fur: string, moss: string): Svg {
  const mushroom = (x: number, y: number, s: number) =>
    placed(
      x,
      y,
      { scale: s },
      rect(-4, -14, 8, 16, '#f3e6cf', { rx: 3 }) +
        path('M -15 -12 Q 0 -36 15 -12 Z', '#d9534a') +
        circle(-4, -20, 2.6, '#fff') +
        circle(5, -17, 2, '#fff'),
    )
  return (
    mirrored(ellipse(46, -6, 30, 17, darker(fur, 0.25))) +
    path('M -86 0 C -104 -70 -66 -138 0 -138 C 66 -138 104 -70 86 0 Z', fur) +
    ellipse(0, -34, 50, 36, lighter(fur, 0.25)) +
    mirrored(path('M 70 -64 C 100 -54 98 -18 72 -14 C 60 -26 60 -48 70 -64 Z', darker(fur, 0.2))) +
    mirrored(circle(50, -130, 18, fur)) +
    path(
      'M -84 -92 C -76 -148 -34 -160 0 -158 C 38 -158 78 -146 84 -92 C 70 -108 62 -96 50 -106 C 36 -94 20 -108 4 -100 C -12 -110 -28 -94 -44 -104 C -58 -96 -70 -106 -84 -92 Z',
      moss,
    ) +
    repeat(12, (i) => circle(-58 + i * 10.5, -128 + ((i * 7) % 5) * 5, 4, lighter(moss, 0.25))) +
    mushroom(-30, -146, 1.1) +
    mushroom(22, -150, 0.8) +
    stroke('M -38 -82 Q -28 -74 -18 -82 M 18 -82 Q 28 -74 38 -82', INK, 4) +
    ellipse(0, -66, 24, 17, lighter(fur, 0.45)) +
    ellipse(0, -73, 10, 6.5, INK) +
    stroke('M -9 -60 Q 0 -54 9 -60', INK, 3)
  )
}

export function hedgehog(spine: string, face: string, bloom: string): Svg {
  const quills = repeat(17, (i) => {
    const turn = -104 + i * 13
    return placed(
      14,
      -46,
      { turn },
      polygon('-9,-40 0,-96 9,-40', i % 2 === 0 ? spine : lighter(spine, 0.18)),
    )
  })
  const blooms = repeat(6, (i) => {
    const turn = -80 + i * 34
    return placed(
      14,
      -46,
      { turn },
      polygon(starPoints(0, -100, 15, 7, 9), bloom) + circle(0, -100, 5, lighter(bloom, 0.5)),
    )
  })
  return (
    quills +
    blooms +
    circle(14, -48, 54, darker(spine, 0.3)) +
    path(
      'M -82 -30 C -72 -74 -14 -86 8 -54 C 22 -24 0 -2 -30 -2 C -58 -4 -66 -22 -82 -30 Z',
      face,
    ) +
    circle(-82, -32, 8, INK) +
    eye(-42, -46, 9) +
    circle(-8, -66, 11, darker(face, 0.2)) +
    stroke('M -64 -22 Q -54 -16 -44 -20', INK, 2.6) +
    ellipse(-22, 0, 13, 7, darker(face, 0.3)) +
    ellipse(34, 0, 13, 7, darker(face, 0.3))
  )
}

/** A branch that divides into two, again and again. */
function branch(
  x: number,
  y: number,
  long: number,
  angle: number,
  depth: number,
  color: string,
  leaf: string,
): Svg {
  const [tipX, tipY]: Point = [x + long * Math.cos(angle), y + long * Math.sin(angle)]
  const wood = stroke(`M ${x} ${y} L ${tipX} ${tipY}`, color, 2 + depth * 2)
  if (depth === 0) {
    return (
      wood +
      ellipse(tipX, tipY, 7, 4, leaf, {
        transform: `rotate(${(angle * 180) / Math.PI} ${tipX} ${tipY})`,
      })
    )
  }
  return (
    wood +
    branch(tipX, tipY, long * 0.74, angle - 0.5, depth - 1, color, leaf) +
    branch(tipX, tipY, long * 0.7, angle + 0.42, depth - 1, color, leaf)
  )
}

export interface Stag {
  coat: string
  antler: string
  leaf: string
}

export function stag({ coat, antler, leaf }: Stag): Svg {
  const dark = darker(coat, 0.3)
  const leg = (x: number, color: string) =>
    path(
      `M ${x - 8} -60 L ${x - 5} -4 L ${x - 7} 2 L ${x + 7} 2 L ${x + 5} -4 L ${x + 9} -60 Z`,
      color,
    )
  return (
    leg(-20, dark) +
    leg(58, dark) +
    path(
      'M -50 -92 C -20 -106 50 -104 80 -88 C 92 -66 80 -42 60 -42 C 20 -36 -30 -36 -48 -50 Z',
      coat,
    ) +
    path('M 80 -90 q 16 -6 18 10 q -8 10 -20 4 Z', '#fdf3dc') +
    repeat(7, (i) => circle(4 + i * 10, -84 + (i % 3) * 9, 3.4, lighter(coat, 0.55))) +
    leg(-36, coat) +
    leg(68, coat) +
    path('M -54 -48 C -66 -80 -74 -110 -74 -140 L -40 -138 C -36 -112 -20 -104 -12 -92 Z', coat) +
    path('M -54 -50 C -62 -80 -64 -96 -62 -112 C -48 -96 -40 -80 -36 -58 Z', lighter(coat, 0.4)) +
    branch(-58, -160, 30, -2.2, 4, antler, leaf) +
    branch(-46, -160, 30, -0.9, 4, antler, leaf) +
    path('M -42 -152 C -16 -166 -8 -150 -6 -144 C -20 -138 -34 -140 -42 -142 Z', dark) +
    path('M -66 -152 C -92 -166 -100 -150 -102 -144 C -88 -138 -74 -140 -66 -142 Z', dark) +
    path(
      'M -76 -158 C -66 -172 -44 -172 -34 -158 C -34 -136 -42 -112 -54 -108 C -68 -112 -78 -136 -76 -158 Z',
      coat,
    ) +
    ellipse(-55, -116, 9, 7, INK) +
    eye(-67, -142, 5.5) +
    eye(-43, -142, 5.5)
  )
}

/** The stag's head alone, large and seen from the front. */
export function stagHead({ coat, antler, leaf }: Stag): Svg {
  return (
    mirrored(branch(18, -150, 46, -1.05, 5, antler, leaf)) +
    path('M -60 30 C -70 -40 -44 -80 0 -84 C 44 -80 70 -40 60 30 Z', coat) +
    path('M -28 30 C -30 -30 -12 -60 0 -62 C 12 -60 30 -30 28 30 Z', lighter(coat, 0.45)) +
    mirrored(
      path('M 34 -130 C 82 -160 100 -132 104 -120 C 82 -104 54 -108 36 -112 Z', darker(coat, 0.25)),
    ) +
    path(
      'M -44 -140 C -32 -172 32 -172 44 -140 C 44 -96 24 -48 0 -44 C -24 -48 -44 -96 -44 -140 Z',
      coat,
    ) +
    path('M -14 -150 L 0 -166 L 14 -150 L 9 -84 Q 0 -76 -9 -84 Z', lighter(coat, 0.4)) +
    ellipse(0, -60, 16, 12, INK) +
    mirrored(eye(27, -114, 9))
  )
}

export function burrowKnight(fur: string, steel: string): Svg {
  const claw = mirrored(
    ellipse(60, -20, 24, 19, '#efb3a2') +
      repeat(4, (i) =>
        polygon(
          [
            [44 + i * 11, -12],
            [50 + i * 11, 12],
            [55 + i * 11, -12],
          ],
          '#fdf4e0',
        ),
      ),
  )
  return (
    path(
      'M -130 4 C -110 -34 -70 -22 -50 -30 C -20 -14 40 -40 70 -24 C 100 -30 120 -16 134 4 Z',
      '#5c3a24',
    ) +
    path('M -64 0 C -72 -84 -46 -124 0 -124 C 46 -124 72 -84 64 0 Z', fur) +
    path(
      'M -60 -66 C -66 -134 -38 -150 0 -150 C 38 -150 66 -134 60 -66 L 40 -84 L 0 -92 L -40 -84 Z',
      steel,
    ) +
    stroke(
      'M 0 -150 L 0 -94 M -58 -74 L -38 -88 L 0 -96 L 38 -88 L 58 -74',
      darker(steel, 0.35),
      4,
    ) +
    path('M 0 -150 C -8 -190 40 -200 66 -176 C 40 -176 20 -166 0 -150 Z', '#c8374a') +
    mirrored(eye(20, -72, 6)) +
    path(
      'M -20 -52 C -20 -72 20 -72 20 -52 C 20 -36 8 -28 0 -28 C -8 -28 -20 -36 -20 -52 Z',
      '#efb3a2',
    ) +
    ellipse(0, -54, 9, 6, '#b8574f') +
    claw +
    stroke('M 104 10 L 104 -120', '#7a5230', 7) +
    path('M 88 -118 L 120 -118 L 120 -146 Q 104 -176 88 -146 Z', lighter(steel, 0.2)) +
    path('M -128 -88 L -72 -88 Q -72 -34 -100 -18 Q -128 -34 -128 -88 Z', '#3f6f4d', {
      stroke: steel,
      'stroke-width': 5,
    }) +
    path('M -100 -78 L -92 -58 L -100 -30 L -108 -58 Z', '#f4d35e')
  )
}

export function cat(fur: string, glow: string): Svg {
  return (
    stroke('M 44 -10 C 104 -4 118 -66 84 -96 C 72 -106 64 -92 74 -86', fur, 16) +
    path('M -46 0 C -52 -66 -34 -94 4 -94 C 42 -94 60 -50 54 0 Z', fur) +
    path('M -20 -2 C -24 -46 -12 -70 4 -70 C 20 -70 26 -40 22 -2 Z', lighter(fur, 0.12)) +
    polygon('-44,-112 -48,-168 -10,-138', fur) +
    polygon('44,-112 52,-168 12,-138', fur) +
    polygon('-38,-124 -42,-154 -20,-137', '#c86b7a') +
    polygon('40,-124 46,-154 22,-137', '#c86b7a') +
    ellipse(1, -108, 49, 38, fur) +
    mirrored(ellipse(20, -110, 13, 14, glow)) +
    mirrored(ellipse(20, -110, 4, 12, INK)) +
    polygon('-5,-94 7,-94 1,-88', '#e88c96') +
    stroke('M 1 -88 Q -6 -78 -14 -84 M 1 -88 Q 8 -78 16 -84', lighter(fur, 0.5), 2.6) +
    mirrored(stroke('M 30 -92 L 62 -98 M 30 -87 L 62 -84', lighter(fur, 0.6), 1.8)) +
    mirrored(ellipse(20, -2, 16, 9, lighter(fur, 0.08)))
  )
}
