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
  stroke,
} from '../svg'
import { eye, INK, mirrored } from './anatomy'

/*
 * The creatures of the garden wall that are neither furred nor winged. Each stands with its feet at (0, 0) and is some 150 units high, so that a scene can set it
 * down anywhere with `put`.
 */

export function frog(skin: string, belly: string, hat: Svg = ''): Svg {
  const dark = darker(skin, 0.3)
  const leg =
    path('M 30 -46 C 86 -62 94 -12 56 -2 L 34 -4 Z', dark) +
    path('M 40 0 q 16 -14 32 -3 q 12 0 10 6 L 42 6 Z', skin)
  return (
    mirrored(leg) +
    ellipse(0, -46, 56, 47, skin) +
    ellipse(0, -32, 38, 31, belly) +
    mirrored(path('M 12 -14 L 14 2 q 10 6 18 0 L 26 -16 Z', skin)) +
    ellipse(0, -90, 58, 34, skin) +
    mirrored(circle(32, -117, 20, skin)) +
    mirrored(circle(32, -119, 14, '#fffbe4')) +
    mirrored(eye(31, -119, 9)) +
    stroke('M -42 -84 Q 0 -62 42 -84', dark, 3.6) +
    mirrored(ellipse(44, -80, 8, 5, '#ff9a8a', { opacity: 0.6 })) +
    circle(-14, -106, 3, dark) +
    circle(6, -110, 2.4, dark) +
    hat
  )
}

export const leafUmbrella = (color: string) =>
  stroke('M 52 -40 Q 66 -120 30 -176', darker(color, 0.4), 4) +
  path('M -60 -150 C -30 -214 90 -222 122 -150 C 92 -164 -26 -166 -60 -150 Z', color) +
  stroke('M 30 -176 Q 0 -176 -34 -158 M 30 -176 Q 60 -178 96 -158', darker(color, 0.25), 2.4)

export const bowlerAndPipe = (color: string) =>
  ellipse(0, -134, 46, 8, color) +
  path('M -30 -136 C -32 -178 32 -178 30 -136 Z', color) +
  rect(-30, -146, 60, 7, '#b8433f') +
  stroke('M 24 -72 L 62 -64', '#6b432a', 5) +
  path('M 56 -78 L 78 -74 L 74 -52 Q 62 -48 56 -58 Z', '#8a5632') +
  stroke('M -30 -76 Q -16 -90 0 -78 Q 16 -90 30 -76', '#f3ecd9', 7)

export function pike(scale: string, belly: string): Svg {
  const dark = darker(scale, 0.35)
  const teeth = repeat(9, (i) => {
    const x = -150 + i * 13
    return polygon(
      [
        [x, -58 + i],
        [x + 6, -40 + i],
        [x + 11, -57 + i],
      ],
      '#fdf7e3',
    )
  })
  const lower = repeat(8, (i) => {
    const x = -142 + i * 13
    return polygon(
      [
        [x, -20 - i],
        [x + 5, -37 - i],
        [x + 11, -21 - i],
      ],
      '#fdf7e3',
    )
  })
  return (
    path('M 96 -52 L 176 -108 L 158 -50 L 180 6 Z', dark) +
    path('M 40 -92 L 92 -140 L 104 -74 Z', dark) +
    path('M 10 -12 L 56 34 L 66 -16 Z', dark) +
    path(
      'M -164 -66 C -110 -110 10 -124 110 -56 C 60 6 -60 12 -152 -8 L -148 -18 L -40 -38 Z',
      scale,
    ) +
    path('M -152 -8 C -60 12 60 6 110 -56 C 40 -20 -60 -24 -148 -18 Z', belly) +
    path('M -162 -62 L -40 -40 L -148 -18 Q -120 -40 -162 -62 Z', '#7a1f35') +
    teeth +
    lower +
    repeat(14, (i) =>
      circle(
        -10 + (i % 7) * 15,
        -78 + Math.floor(i / 7) * 18 + (i % 2) * 5,
        5,
        lighter(scale, 0.35),
      ),
    ) +
    circle(-84, -80, 14, '#f6e27a') +
    circle(-87, -80, 6, INK) +
    stroke('M -102 -98 Q -84 -104 -66 -94', dark, 6) +
    stroke('M -34 -72 Q -22 -46 -36 -22', dark, 4)
  )
}

export function snail(shell: string, skin: string): Svg {
  return (
    path(
      'M -96 0 C -96 -26 -84 -30 -74 -34 C -78 -58 -76 -80 -70 -92 L -44 -92 C -44 -60 -34 -40 -10 -34 C 40 -30 92 -22 104 0 Z',
      skin,
    ) +
    stroke('M -66 -90 L -80 -124 M -50 -90 L -44 -128', skin, 7) +
    eye(-80, -126, 10) +
    eye(-44, -130, 10) +
    stroke('M -74 -64 Q -64 -58 -54 -64', INK, 3) +
    circle(26, -66, 62, shell) +
    circle(26, -66, 62, 'none', { stroke: darker(shell, 0.35), 'stroke-width': 4 }) +
    stroke(
      'M 82 -44 A 54 54 0 1 1 70 -98 A 40 40 0 1 0 58 -46 A 30 30 0 1 1 48 -82 A 18 18 0 1 0 40 -58',
      darker(shell, 0.4),
      7,
    )
  )
}

export const sailorCap = (x: number, y: number, turn: number) =>
  placed(
    x,
    y,
    { turn },
    path('M -26 0 C -36 -22 36 -22 26 0 Z', '#ffffff') +
      rect(-24, -4, 48, 11, '#29406f', { rx: 4 }) +
      path('M 20 4 q 18 8 14 24 q -12 -8 -22 -20 Z', '#29406f') +
      circle(0, -17, 5, '#d9463f'),
  )

/** A fern that uncurls: a stem with leaflets on both sides. */
function frond(x: number, y: number, turn: number, long: number, color: string): Svg {
  const leaflets = repeat(9, (i) => {
    const at = (i + 1) / 10
    const [lx, ly] = [26 * at * at * (long / 90), -long * at]
    const wide = 24 * (1 - at * 0.75)
    return (
      ellipse(lx - wide / 2, ly, wide / 2, 4.5, color, { transform: `rotate(24 ${lx} ${ly})` }) +
      ellipse(lx + wide / 2, ly, wide / 2, 4.5, lighter(color, 0.15), {
        transform: `rotate(-24 ${lx} ${ly})`,
      })
    )
  })
  const curl = stroke(
    `M 0 0 Q 2 ${-long * 0.7} ${26 * (long / 90)} ${-long} q 16 -6 14 8 q -6 8 -11 0`,
    darker(color, 0.3),
    4,
  )
  return placed(x, y, { turn }, leaflets, curl)
}

export function fernWalker(leaf: string, bulb: string): Svg {
  const leg = (x: number, knee: number) =>
    stroke(`M ${x * 0.4} -86 Q ${knee} -90 ${x} 0`, darker(leaf, 0.45), 7)
  return (
    leg(-70, -84) +
    leg(-26, -48) +
    leg(30, 56) +
    leg(76, 92) +
    frond(-12, -112, -46, 84, leaf) +
    frond(-4, -118, -14, 100, lighter(leaf, 0.1)) +
    frond(4, -118, 16, 96, leaf) +
    frond(12, -112, 50, 80, lighter(leaf, 0.1)) +
    path(
      'M -42 -92 C -42 -128 42 -128 42 -92 C 42 -66 20 -58 0 -58 C -20 -58 -42 -66 -42 -92 Z',
      bulb,
    ) +
    path('M -42 -94 C -20 -104 20 -104 42 -94 C 36 -124 -36 -124 -42 -94 Z', leaf) +
    mirrored(eye(15, -84, 8)) +
    stroke('M -7 -70 Q 0 -65 7 -70', INK, 2.8)
  )
}

export function draught(color: string): Svg {
  const ribbon = (d: string, width: number, opacity: number) => stroke(d, color, width, { opacity })
  return (
    ribbon(
      'M 150 -20 C 90 20 20 -6 -30 -14 C -90 -24 -120 -70 -84 -108 C -50 -146 20 -140 34 -100 C 42 -72 10 -58 -8 -74',
      30,
      0.55,
    ) +
    ribbon('M 160 -70 C 110 -40 60 -40 20 -40 C -40 -40 -92 -60 -78 -98', 18, 0.8) +
    ribbon('M 130 20 C 60 44 -40 26 -90 -4', 12, 0.7) +
    circle(-46, -96, 46, lighter(color, 0.55)) +
    path('M -96 -118 L -8 -150 L -2 -134 L -98 -102 Z', '#3c3357') +
    path('M -76 -126 C -84 -176 -36 -190 -24 -146 Z', '#4d4270') +
    eye(-62, -94, 8) +
    eye(-30, -98, 8) +
    ellipse(-48, -72, 9, 12, INK) +
    path('M -86 -66 Q -46 -40 -6 -66 L 2 -50 Q -46 -22 -92 -50 Z', '#d8574f') +
    path('M -2 -58 C 40 -48 60 -66 96 -54 C 64 -40 30 -36 -2 -44 Z', '#d8574f')
  )
}

export function cobblin(stone: string): Svg {
  const rock = (x: number, y: number, rx: number, ry: number, share: number) =>
    ellipse(x, y, rx, ry, lighter(stone, share)) +
    ellipse(x - rx * 0.25, y - ry * 0.35, rx * 0.45, ry * 0.28, lighter(stone, share + 0.22))
  return (
    rock(-34, -12, 30, 17, 0.02) +
    rock(36, -12, 32, 18, 0.12) +
    rock(-84, -52, 22, 18, 0.18) +
    rock(88, -58, 24, 19, 0) +
    rock(0, -52, 62, 36, 0.1) +
    rock(4, -108, 46, 34, 0.24) +
    rock(-10, -148, 22, 13, 0.05) +
    path('M -14 -160 q 6 -24 26 -18 q -2 18 -24 20 Z', '#7cab4e') +
    circle(-14, -108, 12, '#ffe9a3') +
    circle(24, -108, 12, '#ffe9a3') +
    circle(-12, -106, 6, INK) +
    circle(26, -106, 6, INK) +
    path('M -14 -88 L 26 -88 L 20 -80 L 12 -86 L 4 -80 L -4 -86 L -10 -80 Z', INK) +
    stroke('M -40 -60 l 14 10 l -8 12 M 40 -66 l -10 14', darker(stone, 0.4), 3)
  )
}

export function hillTortoise(hill: string, skin: string): Svg {
  const tree = (x: number, y: number, s: number) =>
    placed(
      x,
      y,
      { scale: s },
      rect(-3, -12, 6, 14, '#5a3a22') +
        circle(0, -24, 15, darker(hill, 0.3)) +
        circle(-5, -29, 7, hill),
    )
  const leg = (x: number) =>
    path(`M ${x - 20} -34 L ${x - 22} 2 L ${x + 20} 2 L ${x + 20} -34 Z`, skin)
  return (
    leg(-66) +
    leg(76) +
    path('M -96 -52 C -150 -60 -172 -84 -164 -104 C -150 -124 -112 -112 -92 -76 Z', skin) +
    eye(-142, -98, 7) +
    stroke('M -164 -86 Q -150 -80 -138 -84', INK, 3) +
    path('M 110 -36 L 150 -18 L 106 -20 Z', skin) +
    path('M -112 -28 C -116 -120 -40 -152 10 -152 C 70 -152 128 -112 122 -28 Z', hill) +
    path('M -112 -28 C -60 -8 70 -8 122 -28 L 118 -14 C 60 4 -60 4 -108 -14 Z', '#d9b779') +
    stroke('M -70 -40 C -50 -90 20 -70 24 -108 C 26 -124 16 -134 12 -146', '#e9d7a0', 8) +
    tree(-64, -104, 1) +
    tree(-28, -142, 0.8) +
    tree(74, -116, 1.2) +
    tree(98, -70, 0.9) +
    rect(22, -176, 40, 32, '#fbf0d9') +
    polygon('14,-174 42,-202 70,-174', '#b4483c') +
    rect(36, -164, 12, 20, '#6b432a') +
    rect(54, -200, 7, 18, '#8a5a44')
  )
}
