import {
  circle,
  darker,
  ellipse,
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

/*
 * The crew of Perihelion Drift, from the chest up: each stands on (0, 0) and is some 250 units high.
 */

const INK = '#171a26'

const both = (half: Svg) => half + group({ transform: 'scale(-1 1)' }, half)

const shoulders = (color: string) =>
  path('M -120 0 C -116 -66 -80 -92 -36 -98 L 36 -98 C 80 -92 116 -66 120 0 Z', color)

export function captain(coat: string, skin: string): Svg {
  return (
    path('M -54 -150 C -80 -120 -84 -70 -70 -40 L -30 -80 Z', '#d8d4d0') +
    path('M 54 -150 C 80 -120 84 -70 70 -40 L 30 -80 Z', '#d8d4d0') +
    shoulders(coat) +
    rect(-20, -126, 40, 44, darker(skin, 0.18), { rx: 14 }) +
    polygon('-36,-98 0,-50 36,-98 20,-104 0,-74 -20,-104', lighter(coat, 0.75)) +
    both(rect(66, -90, 44, 15, '#f2c94f', { rx: 4, transform: 'rotate(24 88 -82)' })) +
    repeat(3, (i) => circle(0, -36 + i * 15, 5, '#f2c94f')) +
    both(circle(40, -46, 6, '#f2c94f')) +
    path(
      'M -50 -182 C -52 -232 52 -232 50 -182 C 50 -142 26 -112 0 -112 C -26 -112 -50 -142 -50 -182 Z',
      skin,
    ) +
    path('M -54 -186 C -60 -236 60 -236 54 -186 C 40 -204 -40 -204 -54 -186 Z', '#d8d4d0') +
    path('M -62 -208 C -70 -262 70 -262 62 -208 Z', darker(coat, 0.25)) +
    path('M -66 -206 C -30 -222 30 -222 66 -206 L 52 -196 C 20 -206 -20 -206 -52 -196 Z', INK) +
    polygon(starPoints(0, -230, 14, 6, 5), '#f2c94f') +
    both(ellipse(20, -174, 6.5, 5.5, INK) + stroke('M 9 -187 Q 20 -195 32 -187', '#a8a29c', 4)) +
    stroke('M 2 -172 l -7 22 l 9 2 M -14 -134 Q 2 -130 16 -136', darker(skin, 0.45), 3.4) +
    stroke('M 26 -160 L 38 -140', darker(skin, 0.35), 3)
  )
}

export function pilot(suit: string, visor: string): Svg {
  return (
    shoulders(suit) +
    rect(-58, -112, 116, 30, darker(suit, 0.35), { rx: 14 }) +
    rect(-44, -60, 30, 40, darker(suit, 0.25), { rx: 5 }) +
    stroke('M -44 -70 C -90 -60 -90 -20 -60 0', '#e9eef4', 8) +
    both(path('M 60 -92 L 104 -60 L 96 -40 L 56 -74 Z', '#f0a83a')) +
    circle(0, -176, 78, '#eef1f5') +
    path('M -78 -176 A 78 78 0 0 1 78 -176 L 66 -200 A 70 50 0 0 0 -66 -200 Z', '#d9483c') +
    path('M -62 -176 C -66 -226 66 -226 62 -176 C 60 -132 -60 -132 -62 -176 Z', visor) +
    path(
      'M -52 -170 C -20 -150 30 -190 56 -172 C 54 -138 -46 -134 -52 -170 Z',
      darker(visor, 0.3),
    ) +
    circle(26, -192, 13, '#ffe9a8') +
    stroke('M -46 -192 Q -34 -208 -12 -211', '#ffffff', 7) +
    both(circle(76, -172, 15, darker(suit, 0.3)) + circle(76, -172, 7, '#f0a83a'))
  )
}

export function boilerman(iron: string): Svg {
  const rivets = repeat(11, (i) => circle(-70 + i * 14, -22, 4, lighter(iron, 0.3)))
  return (
    both(
      rect(92, -96, 42, 96, darker(iron, 0.3), { rx: 18 }) +
        circle(113, -92, 24, darker(iron, 0.15)),
    ) +
    rect(-92, -118, 184, 122, iron, { rx: 26 }) +
    rect(-92, -36, 184, 12, darker(iron, 0.3)) +
    rivets +
    circle(0, -74, 34, '#2a2024') +
    path(
      'M -22 -58 C -26 -80 -12 -84 -8 -100 C 4 -88 6 -84 8 -92 C 24 -78 24 -60 0 -54 C -10 -54 -18 -54 -22 -58 Z',
      '#ff8f3a',
    ) +
    repeat(5, (i) => rect(-30 + i * 14, -104, 5, 60, darker(iron, 0.4))) +
    circle(0, -74, 34, 'none', { stroke: lighter(iron, 0.2), 'stroke-width': 7 }) +
    rect(-62, -206, 124, 84, lighter(iron, 0.12), { rx: 22 }) +
    both(
      circle(28, -168, 22, '#2a2024') +
        circle(28, -168, 14, '#ffd45e') +
        circle(32, -172, 5, '#ffffff'),
    ) +
    rect(-34, -142, 68, 11, '#2a2024', { rx: 4 }) +
    repeat(4, (i) => rect(-26 + i * 15, -142, 4, 11, lighter(iron, 0.2))) +
    rect(-16, -246, 32, 42, darker(iron, 0.25)) +
    rect(-22, -252, 44, 13, iron, { rx: 3 }) +
    circle(0, -272, 15, '#ffffff', { opacity: 0.5 }) +
    circle(22, -290, 21, '#ffffff', { opacity: 0.35 }) +
    stroke('M 62 -180 L 92 -204', darker(iron, 0.3), 6) +
    circle(94, -206, 10, '#d9483c')
  )
}

export function manyEyed(skin: string, coat: string): Svg {
  const eyes: readonly (readonly [number, number, number])[] = [
    [-36, -196, 18],
    [0, -222, 22],
    [38, -194, 17],
    [-14, -176, 13],
    [20, -166, 11],
    [-46, -160, 10],
  ]
  return (
    both(
      stroke('M 40 -230 C 60 -280 96 -280 100 -256', skin, 12) +
        circle(100, -254, 13, lighter(skin, 0.4)),
    ) +
    shoulders(coat) +
    polygon('-40,-98 0,-30 40,-98', '#7fb8c4') +
    stroke('M -46 -96 C -60 -20 0 -10 14 -40 M 46 -96 C 52 -60 30 -40 14 -40', '#39424f', 6) +
    circle(14, -32, 13, '#c2cad6') +
    rect(52, -66, 34, 34, '#ffffff') +
    path('M 65 -62 h 8 v 9 h 9 v 8 h -9 v 9 h -8 v -9 h -9 v -8 h 9 Z', '#3fae8c') +
    path(
      'M -70 -180 C -76 -260 76 -260 70 -180 C 70 -130 40 -96 0 -96 C -40 -96 -70 -130 -70 -180 Z',
      skin,
    ) +
    path(
      'M -30 -128 Q -34 -88 -40 -70 M -12 -122 Q -12 -84 -16 -62 M 10 -122 Q 14 -84 12 -62 M 30 -128 Q 36 -90 40 -72',
      'none',
      { stroke: darker(skin, 0.2), 'stroke-width': 12, 'stroke-linecap': 'round' },
    ) +
    eyes
      .map(
        ([x, y, r]) =>
          circle(x, y, r, '#fdf8e4') +
          circle(x + 2, y + 2, r * 0.55, INK) +
          circle(x - r * 0.2, y - r * 0.2, r * 0.2, '#ffffff'),
      )
      .join('') +
    repeat(5, (i) => circle(50 - i * 3, -150 + i * 10, 3.4, darker(skin, 0.3)))
  )
}

/** Something with three ears looks out of a crate. */
export function stowaway(crate: string, fur: string): Svg {
  const ear = (x: number, turn: number) =>
    group(
      { transform: `rotate(${turn} ${x} -150)` },
      path(
        `M ${x - 17} -140 C ${x - 20} -200 ${x - 6} -226 ${x} -230 C ${x + 6} -226 ${x + 20} -200 ${x + 17} -140 Z`,
        fur,
      ) +
        path(
          `M ${x - 8} -146 C ${x - 9} -190 ${x} -210 ${x} -212 C ${x + 2} -206 ${x + 9} -190 ${x + 8} -146 Z`,
          '#f0a8b0',
        ),
    )
  return (
    rect(-130, -112, 260, 40, '#15121c') +
    ear(-46, -24) +
    ear(0, 0) +
    ear(46, 24) +
    path('M -82 -84 C -90 -170 90 -170 82 -84 Z', fur) +
    both(
      circle(36, -124, 23, '#fff6c8') + circle(34, -122, 12, INK) + circle(29, -128, 5, '#ffffff'),
    ) +
    ellipse(0, -104, 9, 6, '#f0a8b0') +
    both(ellipse(56, -86, 24, 15, lighter(fur, 0.15))) +
    rect(-136, -84, 272, 88, crate) +
    rect(-136, -84, 272, 14, lighter(crate, 0.2)) +
    stroke('M -136 -42 H 136 M -70 -70 V 4 M 66 -70 V 4', darker(crate, 0.35), 4) +
    stroke(
      'M -20 -14 L -20 -52 M -32 -40 L -20 -54 L -8 -40 M 14 -14 L 14 -52 M 2 -40 L 14 -54 L 26 -40',
      darker(crate, 0.6),
      5,
    ) +
    polygon('-150,-84 -190,-150 -170,-156 -128,-84', lighter(crate, 0.1))
  )
}

export function astronaut(suit: string, stripe: string): Svg {
  const limb = (d: string) => stroke(d, darker(suit, 0.2), 40) + stroke(d, suit, 34)
  return (
    rect(-62, -176, 124, 110, darker(suit, 0.35), { rx: 18 }) +
    limb('M -22 -74 L -52 -30 L -40 16') +
    limb('M 24 -74 L 60 -44 L 96 -16') +
    limb('M -40 -140 L -96 -160 L -128 -206') +
    limb('M 40 -140 L 92 -116 L 124 -140') +
    rect(-50, -166, 100, 104, suit, { rx: 30 }) +
    rect(-28, -132, 56, 36, '#4a5568', { rx: 6 }) +
    circle(-13, -114, 6, '#ff6b5a') +
    circle(6, -114, 6, '#5fe08a') +
    rect(-50, -90, 100, 10, stripe) +
    circle(-130, -210, 18, stripe) +
    circle(126, -142, 18, stripe) +
    circle(0, -206, 58, suit) +
    path('M -44 -206 C -46 -246 46 -246 44 -206 C 42 -172 -42 -172 -44 -206 Z', '#2a3f7a') +
    path('M -36 -202 C -10 -190 20 -214 40 -200 C 36 -176 -32 -176 -36 -202 Z', '#4fb0c9') +
    stroke('M -32 -218 Q -22 -232 -6 -234', '#ffffff', 6)
  )
}

export function teapot(color: string): Svg {
  return (
    path('M 70 -70 C 120 -110 130 -40 80 -30', 'none', {
      stroke: darker(color, 0.25),
      'stroke-width': 15,
      'stroke-linecap': 'round',
    }) +
    path(
      'M -66 -60 C -110 -60 -106 -110 -136 -116 L -128 -128 C -90 -124 -90 -90 -56 -90 Z',
      darker(color, 0.15),
    ) +
    path('M -82 -62 C -82 -112 82 -112 82 -62 C 82 -16 50 0 0 0 C -50 0 -82 -16 -82 -62 Z', color) +
    path('M -44 -100 C -40 -124 40 -124 44 -100 Z', darker(color, 0.2)) +
    circle(0, -124, 12, '#f2c94f') +
    stroke('M -60 -76 C -56 -92 -40 -98 -22 -100', '#ffffff', 8, { opacity: 0.7 }) +
    polygon(starPoints(0, -50, 28, 12, 6), '#ffffff') +
    ellipse(0, 0, 44, 8, darker(color, 0.35))
  )
}
