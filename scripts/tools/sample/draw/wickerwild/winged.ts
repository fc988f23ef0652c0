import {
  circle,
  darker,
  ellipse,
  lighter,
  path,
  placed,
  polygon,
  rect,
  repeat,
  type Svg,
  starPoints,
  stroke,
} from '../svg'
import { eye, flame, INK, mirrored } from './anatomy'

/*
 * The winged creatures of the garden wall. Each stands with its feet at (0, 0) and is some 150 units high, so that a scene can set it
 * down anywhere with `put`.
 */

export function moth(wing: string, spot: string, fur: string): Svg {
  const half =
    path('M 6 -92 C 40 -176 128 -170 140 -128 C 146 -96 86 -70 8 -74 Z', wing) +
    path('M 8 -78 C 66 -78 104 -50 92 -14 C 74 12 26 -20 6 -58 Z', darker(wing, 0.22)) +
    circle(96, -124, 21, darker(wing, 0.45)) +
    circle(96, -124, 14, spot) +
    circle(96, -124, 6, INK) +
    circle(62, -38, 11, spot) +
    stroke('M 14 -88 Q 60 -120 128 -142 M 12 -70 Q 44 -52 80 -20', lighter(wing, 0.4), 2) +
    stroke('M 6 -120 Q 20 -150 44 -152 M 14 -136 l 10 4 M 22 -144 l 8 7 M 30 -149 l 5 9', fur, 3.4)
  return (
    mirrored(half) +
    ellipse(0, -56, 17, 48, darker(fur, 0.2)) +
    repeat(4, (i) => rect(-15, -50 + i * 11, 30, 4.5, darker(fur, 0.5), { rx: 2 })) +
    polygon(starPoints(0, -92, 28, 20, 14), lighter(fur, 0.35)) +
    circle(0, -112, 20, fur) +
    mirrored(eye(9, -114, 7.5))
  )
}

export function duck(feather: string, wing: string): Svg {
  const spread = (turn: number) =>
    placed(
      10,
      -62,
      { turn },
      path('M 0 0 C 20 -58 80 -92 116 -82 C 112 -40 66 4 0 8 Z', wing) +
        stroke('M 24 -12 L 104 -72 M 30 -4 L 96 -42', lighter(wing, 0.45), 3),
    )
  return (
    spread(-22) +
    path('M -58 -62 C -60 -16 -22 0 18 -2 C 58 -4 84 -32 98 -66 C 62 -54 34 -58 4 -70 Z', feather) +
    ellipse(-8, -28, 42, 22, lighter(feather, 0.5)) +
    spread(14) +
    path(
      'M -62 -58 C -52 -82 -60 -96 -58 -112 C -54 -146 -4 -146 -2 -110 C -2 -88 -14 -80 -8 -60 Z',
      feather,
    ) +
    rect(-62, -82, 54, 8, '#fdf6e3', { rx: 4 }) +
    path('M -56 -116 C -78 -120 -92 -112 -96 -104 C -82 -94 -64 -96 -54 -100 Z', '#f2a83b') +
    eye(-38, -118, 7) +
    path('M -30 -142 q 6 -22 22 -18 q -8 8 -6 20 Z', wing)
  )
}

export function owl(feather: string, face: string): Svg {
  const chevrons = repeat(9, (i) => {
    const [x, y] = [-24 + (i % 3) * 24, -48 + Math.floor(i / 3) * 15]
    return stroke(`M ${x - 8} ${y} q 8 9 16 0`, darker(feather, 0.35), 3.4)
  })
  return (
    path(
      'M -58 -60 C -66 -128 -40 -142 0 -142 C 40 -142 66 -128 58 -60 C 54 -16 26 0 0 0 C -26 0 -54 -16 -58 -60 Z',
      feather,
    ) +
    mirrored(path('M 34 -130 L 58 -162 L 56 -112 Z', feather)) +
    ellipse(0, -40, 38, 36, lighter(feather, 0.5)) +
    chevrons +
    mirrored(
      path('M 48 -88 C 76 -70 70 -22 46 -10 C 40 -36 40 -66 48 -88 Z', darker(feather, 0.25)),
    ) +
    mirrored(circle(25, -100, 29, face)) +
    mirrored(circle(25, -100, 19, '#fff6d6')) +
    mirrored(eye(25, -100, 13)) +
    polygon('-9,-90 9,-90 0,-72', '#f0a23a') +
    mirrored(ellipse(16, 0, 13, 6, '#f0a23a')) +
    rect(-7, -168, 14, 30, '#fbf0d6', { rx: 3 }) +
    flame(0, -164, 0.55, ['#ff9b3d', '#fff0a8'])
  )
}

export function kitestrel(sail: string, trim: string): Svg {
  const bows = repeat(5, (i) => {
    const [x, y] = [24 + i * 22, 40 + Math.sin(i * 1.4) * 16 + i * 10]
    return (
      polygon(
        [
          [x - 9, y - 7],
          [x, y],
          [x - 9, y + 7],
        ],
        trim,
      ) +
      polygon(
        [
          [x + 9, y - 7],
          [x, y],
          [x + 9, y + 7],
        ],
        sail,
      )
    )
  })
  const wing =
    polygon('0,-70 150,-118 104,-52 6,-18', sail) +
    polygon('6,-18 104,-52 70,-14 8,0', trim) +
    stroke('M 0 -60 L 150 -118', darker(trim, 0.4), 4)
  return (
    stroke('M 0 10 C 20 60 60 30 84 70 S 120 70 140 100', '#fff7e0', 2.4) +
    bows +
    mirrored(wing) +
    polygon('0,-128 34,-60 0,26 -34,-60', lighter(sail, 0.35)) +
    polygon('0,-128 34,-60 0,-60', trim) +
    polygon('0,26 -34,-60 0,-60', trim) +
    circle(0, -124, 27, '#a85a2c') +
    path('M -26 -118 Q 0 -96 26 -118 Q 20 -98 0 -96 Q -20 -98 -26 -118 Z', '#fbeccb') +
    polygon('-7,-116 7,-116 0,-100', '#f2b53c') +
    mirrored(eye(12, -126, 7))
  )
}

export function weathercock(metal: string): Svg {
  const dark = darker(metal, 0.35)
  const feathers = repeat(6, (i) =>
    placed(
      48,
      -66,
      { turn: -36 + i * 20 },
      path(
        'M 0 0 C 34 -30 40 -84 8 -112 C 2 -74 -16 -40 0 0 Z',
        i % 2 === 0 ? '#274d63' : '#3f7f86',
      ),
    ),
  )
  return (
    rect(-4, -30, 8, 90, '#2b2633') +
    stroke('M -110 -12 L 116 -12', '#2b2633', 6) +
    polygon('-132,-12 -104,-28 -104,4', '#2b2633') +
    polygon('104,-30 134,-30 122,-12 134,6 104,6', '#2b2633') +
    feathers +
    path('M -56 -64 C -50 -20 34 -14 62 -70 C 36 -62 14 -66 -4 -80 Z', metal) +
    path('M -58 -60 C -66 -96 -60 -128 -44 -140 C -20 -150 -4 -124 -4 -78 Z', metal) +
    path(
      'M -52 -138 C -60 -158 -46 -160 -44 -152 C -42 -168 -26 -166 -28 -152 C -18 -162 -8 -150 -18 -138 Z',
      '#d8403a',
    ) +
    path('M -60 -116 L -84 -110 L -58 -102 Z', '#f5d27a') +
    path('M -58 -102 q -10 16 2 22 q 8 -8 4 -20 Z', '#d8403a') +
    eye(-42, -122, 6.5) +
    path('M -20 -62 C 0 -84 38 -78 44 -58 C 24 -40 -2 -42 -20 -62 Z', dark) +
    stroke('M -8 -60 Q 10 -62 32 -58', lighter(metal, 0.4), 3)
  )
}

export function bat(fur: string, wing: string): Svg {
  const half =
    path(
      'M 18 -88 C 60 -140 120 -144 160 -110 C 138 -104 136 -86 140 -70 C 118 -82 106 -70 102 -52 C 86 -68 70 -62 62 -44 C 50 -58 34 -56 18 -48 Z',
      wing,
    ) +
    stroke('M 20 -80 L 156 -110 M 22 -76 L 102 -54 M 22 -72 L 62 -46', darker(wing, 0.4), 3) +
    path('M 8 -124 L 30 -166 L 36 -112 Z', fur) +
    path('M 14 -126 L 28 -152 L 30 -118 Z', '#e99aa2')
  return (
    mirrored(half) +
    ellipse(0, -66, 30, 38, fur) +
    ellipse(0, -56, 19, 25, lighter(fur, 0.35)) +
    circle(0, -106, 34, fur) +
    mirrored(eye(14, -108, 10)) +
    ellipse(0, -94, 6, 4, '#e99aa2') +
    polygon('-9,-88 -3,-88 -6,-77', '#ffffff') +
    polygon('9,-88 3,-88 6,-77', '#ffffff') +
    mirrored(stroke('M 10 -30 l 2 12', INK, 4))
  )
}
