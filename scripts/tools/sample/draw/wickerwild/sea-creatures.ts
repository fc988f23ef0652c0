import {
  circle,
  darker,
  ellipse,
  group,
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
 * The creatures of the tidepool. Each stands with its feet at (0, 0) and is some 150 units high, so that a scene can set it
 * down anywhere with `put`.
 */

export function crab(shell: string, bulb: string): Svg {
  const legs = mirrored(
    repeat(3, (i) =>
      stroke(
        `M 50 ${-44 + i * 12} Q ${98 + i * 4} ${-62 + i * 18} ${108 - i * 10} ${-14 + i * 8}`,
        darker(shell, 0.25),
        9,
      ),
    ),
  )
  const claw = mirrored(
    stroke('M 56 -66 Q 104 -74 104 -112', shell, 15) +
      path(
        'M 84 -112 C 70 -160 108 -184 124 -164 C 108 -156 106 -146 110 -136 C 120 -146 132 -150 140 -142 C 144 -116 120 -96 84 -112 Z',
        shell,
      ),
  )
  const bulbs = repeat(9, (i) => {
    const angle = Math.PI + (i * Math.PI) / 8
    const [x, y] = [74 * Math.cos(angle), -46 + 56 * Math.sin(angle)]
    return circle(x, y, 10, bulb, { opacity: 0.35 }) + circle(x, y, 6, lighter(bulb, 0.4))
  })
  return (
    legs +
    claw +
    ellipse(0, -46, 74, 46, shell) +
    path('M -74 -46 A 74 56 0 0 1 74 -46 Q 0 -66 -74 -46 Z', darker(shell, 0.2)) +
    bulbs +
    rect(-44, -64, 88, 34, '#fff4d6', { rx: 4, stroke: '#3b1f33', 'stroke-width': 3 }) +
    polygon(starPoints(0, -47, 13, 6, 5), '#d8403a') +
    polygon(starPoints(-28, -47, 8, 4, 5), '#3b5fa8') +
    polygon(starPoints(28, -47, 8, 4, 5), '#3b5fa8') +
    mirrored(stroke('M 24 -90 L 28 -116', shell, 7)) +
    mirrored(circle(28, -120, 14, '#fffbe8')) +
    mirrored(eye(28, -120, 9)) +
    stroke('M -16 -16 Q 0 -8 16 -16', INK, 3.4)
  )
}

export function squidlet(skin: string, sparkle: string): Svg {
  const arms = repeat(7, (i) => {
    const [x, lean] = [-42 + i * 14, (i - 3) * 16]
    return (
      stroke(
        `M ${x} -62 C ${x + lean} -30 ${x - lean * 0.3} -16 ${x + lean * 1.3} 0`,
        i % 2 === 0 ? skin : lighter(skin, 0.25),
        10,
      ) + polygon(starPoints(x + lean * 1.3, 0, 12, 4, 6), sparkle)
    )
  })
  return (
    arms +
    mirrored(path('M 30 -136 C 66 -138 74 -112 60 -96 L 36 -104 Z', lighter(skin, 0.3))) +
    path(
      'M -48 -60 C -54 -120 -24 -160 0 -176 C 24 -160 54 -120 48 -60 C 26 -48 -26 -48 -48 -60 Z',
      skin,
    ) +
    repeat(5, (i) => circle(-20 + i * 10, -128 - (i % 2) * 16, 5, lighter(skin, 0.4))) +
    mirrored(eye(21, -82, 13)) +
    stroke('M -9 -64 Q 0 -56 9 -64', INK, 3) +
    stroke('M 0 -174 Q 8 -192 -4 -204', '#6d5844', 4) +
    polygon(starPoints(-4, -206, 14, 5, 8), '#ffe36b')
  )
}

export interface Jelly {
  bell: string
  light: string
  threads: number
  crown?: string
}

export function jelly({ bell, light, threads, crown }: Jelly): Svg {
  const trailing = repeat(threads, (i) => {
    const x = -56 + (i * 112) / (threads - 1)
    const sway = i % 2 === 0 ? 22 : -22
    const long = 70 + ((i * 37) % 50)
    return (
      stroke(
        `M ${x} -86 C ${x + sway} ${-86 + long * 0.35} ${x - sway} ${-86 + long * 0.7} ${x + sway * 0.4} ${-86 + long}`,
        i % 3 === 0 ? light : bell,
        5,
        { opacity: 0.85 },
      ) + circle(x + sway * 0.4, -86 + long, 5, light)
    )
  })
  const scallops = repeat(7, (i) => circle(-60 + i * 20, -88, 11, lighter(bell, 0.2)))
  return (
    circle(0, -112, 112, light, { opacity: 0.14 }) +
    circle(0, -112, 84, light, { opacity: 0.18 }) +
    trailing +
    path('M -74 -88 C -78 -176 78 -176 74 -88 Z', bell, { 'fill-opacity': 0.92 }) +
    scallops +
    ellipse(0, -116, 34, 34, light, { opacity: 0.65 }) +
    flame(0, -98, 0.6, [light, '#ffffff']) +
    ellipse(-34, -132, 15, 9, '#ffffff', { opacity: 0.5, transform: 'rotate(-35 -34 -132)' }) +
    mirrored(eye(38, -100, 8)) +
    (crown === undefined
      ? ''
      : polygon('-34,-150 -42,-194 -20,-172 0,-206 20,-172 42,-194 34,-150', crown) +
        circle(0, -206, 7, '#ff7aa8') +
        circle(-42, -194, 6, '#8ff0ff') +
        circle(42, -194, 6, '#8ff0ff'))
  )
}

/** On his back on the water, a pearl on his belly. */
export function otter(fur: string, belly: string): Svg {
  return (
    path('M 96 -22 C 140 -40 166 -28 176 -10 C 150 4 120 2 92 -4 Z', darker(fur, 0.2)) +
    path('M -70 -6 C -80 -62 -10 -66 40 -58 C 90 -54 118 -30 100 -4 Z', fur) +
    path(
      'M -50 -20 C -50 -58 0 -58 40 -52 C 74 -48 92 -30 84 -14 C 40 -4 -20 -4 -50 -20 Z',
      belly,
    ) +
    ellipse(92, -44, 18, 10, darker(fur, 0.3), { transform: 'rotate(-50 92 -44)' }) +
    ellipse(66, -54, 18, 10, darker(fur, 0.3), { transform: 'rotate(-70 66 -54)' }) +
    circle(-66, -62, 46, fur) +
    circle(-100, -92, 12, darker(fur, 0.15)) +
    circle(-36, -98, 12, darker(fur, 0.15)) +
    ellipse(-70, -48, 32, 24, belly) +
    ellipse(-72, -60, 10, 7, INK) +
    stroke('M -82 -46 Q -72 -38 -62 -46', INK, 3) +
    eye(-90, -72, 7) +
    eye(-50, -74, 7) +
    stroke('M -96 -50 L -126 -56 M -96 -44 L -126 -42 M -46 -52 L -18 -60', '#fff6e2', 2) +
    circle(12, -62, 21, '#ffffff') +
    circle(12, -62, 21, '#c9d8ff', { opacity: 0.6 }) +
    circle(5, -69, 7, '#ffffff') +
    ellipse(-16, -48, 15, 9, fur, { transform: 'rotate(-24 -16 -48)' }) +
    ellipse(38, -48, 15, 9, fur, { transform: 'rotate(24 38 -48)' })
  )
}

export function anemone(stalk: string, tip: string, high: number): Svg {
  const arms = repeat(11, (i) => {
    const turn = -70 + i * 14
    return placed(
      0,
      -high,
      { turn },
      stroke('M 0 0 Q 7 -30 -3 -58', stalk, 10) + circle(-3, -58, 8, tip),
    )
  })
  return (
    arms +
    path(
      `M -30 0 C -22 ${-high * 0.4} -36 ${-high * 0.7} -34 ${-high - 6} L 34 ${-high - 6} C 36 ${-high * 0.7} 22 ${-high * 0.4} 30 0 Z`,
      darker(stalk, 0.18),
    ) +
    ellipse(0, -high - 4, 35, 13, lighter(stalk, 0.2)) +
    mirrored(eye(12, -high * 0.62, 6.5)) +
    stroke(`M -6 ${-high * 0.62 + 14} q 6 5 12 0`, INK, 2.6)
  )
}

export function sealHound(fur: string, collar: string): Svg {
  return (
    path(
      'M 70 -14 C 120 -20 132 -60 158 -62 C 156 -40 146 -28 152 -8 C 130 -2 100 2 70 2 Z',
      darker(fur, 0.2),
    ) +
    path('M -44 -86 C -52 -40 -46 -6 -10 0 L 90 2 C 110 -20 60 -60 30 -76 Z', fur) +
    path('M -36 -70 C -42 -30 -30 -6 -10 -2 L 20 -2 C 10 -30 0 -50 -4 -76 Z', lighter(fur, 0.45)) +
    path('M 10 -26 C 30 -20 40 0 30 6 C 10 6 -6 0 -14 -6 Z', darker(fur, 0.25)) +
    repeat(6, (i) =>
      circle(36 + (i % 3) * 16, -48 + Math.floor(i / 3) * 18 + (i % 2) * 4, 4, darker(fur, 0.3)),
    ) +
    rect(-52, -92, 58, 12, collar, { rx: 6, transform: 'rotate(6 -24 -86)' }) +
    circle(-30, -74, 8, '#ffd45e') +
    ellipse(-26, -118, 46, 38, fur) +
    path('M -66 -134 C -92 -120 -92 -88 -78 -78 C -68 -92 -60 -108 -56 -126 Z', darker(fur, 0.35)) +
    path('M 14 -134 C 40 -120 40 -88 26 -78 C 16 -92 8 -108 4 -126 Z', darker(fur, 0.35)) +
    ellipse(-28, -104, 26, 18, lighter(fur, 0.5)) +
    ellipse(-28, -112, 10, 7, INK) +
    stroke('M -28 -105 L -28 -99 M -38 -96 Q -28 -90 -18 -96', INK, 2.8) +
    eye(-46, -126, 8) +
    eye(-8, -126, 8) +
    stroke(
      'M -50 -102 l -26 -4 M -50 -97 l -25 5 M -6 -102 l 26 -4 M -6 -97 l 25 5',
      '#fff7e4',
      1.8,
    )
  )
}

export function seahorse(skin: string, fin: string): Svg {
  return (
    stroke('M 0 -44 C 34 -30 34 4 8 8 C -12 10 -18 -12 -2 -14', skin, 18) +
    path('M 34 -104 C 76 -112 82 -60 44 -56 Z', fin) +
    path(
      'M -26 -122 C 4 -146 44 -124 40 -86 C 38 -56 18 -44 0 -40 C -12 -60 -26 -86 -26 -122 Z',
      skin,
    ) +
    repeat(5, (i) =>
      stroke(
        `M ${-22 + i * 3} ${-108 + i * 13} Q 4 ${-98 + i * 13} ${36 - i * 4} ${-106 + i * 13}`,
        darker(skin, 0.3),
        3,
      ),
    ) +
    path('M -30 -116 C -50 -140 -40 -184 0 -184 C 34 -184 42 -150 30 -118 Z', skin) +
    path('M -34 -150 C -70 -150 -88 -138 -94 -128 C -90 -118 -60 -120 -36 -130 Z', skin) +
    polygon('-12,-182 -20,-212 2,-192 14,-216 20,-190 40,-198 28,-168', fin) +
    eye(-14, -154, 10) +
    stroke('M -30 -128 C -60 -70 -10 -50 40 -70', '#5a7d34', 5) +
    circle(-30, -128, 5, '#ffd45e')
  )
}

export function barnaclob(rock: string, shell: string): Svg {
  const barnacle = (x: number, y: number, s: number) =>
    placed(
      x,
      y,
      { scale: s },
      polygon('-20,10 -11,-14 11,-14 20,10', shell) +
        ellipse(0, -14, 11, 5, INK) +
        stroke('M -10 8 L -5 -10 M 10 8 L 5 -10 M 0 9 L 0 -10', darker(shell, 0.3), 2),
    )
  return (
    path('M -104 2 C -118 -60 -84 -124 -14 -132 C 60 -138 116 -90 108 2 Z', rock) +
    ellipse(-40, -96, 34, 16, lighter(rock, 0.2), { transform: 'rotate(-28 -40 -96)' }) +
    barnacle(-72, -70, 1) +
    barnacle(-30, -126, 1.2) +
    barnacle(24, -130, 0.9) +
    barnacle(70, -98, 1.25) +
    barnacle(88, -46, 0.9) +
    barnacle(-88, -22, 0.8) +
    barnacle(40, -84, 0.7) +
    circle(-22, -70, 22, '#fdf4cf') +
    circle(30, -62, 16, '#fdf4cf') +
    circle(-18, -68, 10, INK) +
    circle(28, -60, 7, INK) +
    path('M -56 -34 Q 4 -2 66 -36 Q 10 -18 -56 -34 Z', INK) +
    stroke(
      'M -104 0 q 14 -22 30 0 q 14 -22 30 0 q 14 -22 30 0 q 14 -22 30 0 q 14 -22 30 0 q 14 -22 30 0',
      '#6ea85b',
      7,
    )
  )
}

export function urchin(spine: string, core: string): Svg {
  return (
    polygon(starPoints(0, -74, 104, 44, 24), spine) +
    polygon(starPoints(0, -74, 78, 40, 18), lighter(spine, 0.25)) +
    circle(0, -74, 46, core) +
    mirrored(eye(17, -76, 9)) +
    stroke('M -12 -54 Q 0 -62 12 -54', INK, 3.2) +
    stroke('M -18 -48 Q 0 -40 18 -48', '#fdf0d2', 5) +
    path('M -44 -116 L 44 -116 L 34 -170 L -34 -170 Z', '#b8283c') +
    rect(-48, -122, 96, 12, '#f5c845', { rx: 4 }) +
    polygon(starPoints(0, -144, 14, 6, 5), '#f5c845') +
    path('M 0 -170 C -6 -204 22 -210 30 -196 C 18 -192 8 -184 6 -170 Z', '#fdf7e2') +
    stroke('M 66 -20 L 142 -130', '#f2e6cc', 7) +
    circle(144, -134, 13, '#f5c845') +
    circle(66, -20, 9, '#f5c845')
  )
}

export function gull(wing: string): Svg {
  const half =
    path('M 14 -90 C 60 -150 130 -150 176 -104 C 130 -112 90 -88 58 -60 Z', wing) +
    path('M 132 -132 C 150 -130 166 -118 176 -104 C 158 -108 146 -110 132 -108 Z', INK)
  return (
    mirrored(half) +
    path('M -30 -80 C -34 -30 -10 -4 0 10 C 10 -4 34 -30 30 -80 Z', '#fdfcf6') +
    polygon('-14,0 0,40 14,0', '#e9e6dd') +
    circle(0, -108, 32, '#fdfcf6') +
    path('M -12 -98 L 12 -98 L 0 -66 Z', '#f4b12f') +
    rect(-44, -78, 90, 13, '#f6c667', { rx: 2, transform: 'rotate(-8 0 -72)' }) +
    rect(-40, -76, 82, 4, '#fdf0c6', { rx: 2, transform: 'rotate(-8 0 -72)' }) +
    circle(-13, -116, 10, '#fff') +
    circle(13, -116, 10, '#fff') +
    circle(-10, -114, 6, INK) +
    circle(11, -119, 6, INK) +
    stroke('M -26 -132 L -8 -128 M 26 -136 L 9 -133', '#8e8a80', 4)
  )
}

export function parasolRay(top: string, trim: string): Svg {
  const panels = repeat(8, (i) => {
    const [a, b] = [-160 + i * 40, -120 + i * 40]
    return path(
      `M 0 -118 Q ${a * 0.8} -116 ${a} -40 Q ${(a + b) / 2} -58 ${b} -40 Q ${b * 0.8} -116 0 -118 Z`,
      i % 2 === 0 ? top : trim,
    )
  })
  return (
    stroke('M 0 -36 C 20 20 -24 44 6 92', darker(top, 0.4), 7) +
    polygon('6,92 -8,110 20,108', trim) +
    panels +
    path('M -52 -48 C -40 -84 40 -84 52 -48 C 36 -24 -36 -24 -52 -48 Z', lighter(top, 0.6)) +
    mirrored(eye(26, -52, 8)) +
    stroke('M -14 -38 Q 0 -28 14 -38', INK, 3) +
    circle(0, -120, 8, '#f5d67a')
  )
}

export function drumTurtle(skin: string, drum: string): Svg {
  return (
    path('M -70 -70 C -130 -110 -150 -90 -158 -70 C -130 -56 -100 -48 -70 -46 Z', skin) +
    path('M 70 -70 C 130 -110 150 -90 158 -70 C 130 -56 100 -48 70 -46 Z', skin) +
    mirrored(path('M 40 -14 C 70 0 80 22 72 30 C 50 28 30 14 22 -2 Z', darker(skin, 0.2))) +
    rect(-82, -96, 164, 84, drum) +
    ellipse(0, -12, 82, 24, darker(drum, 0.2)) +
    stroke('M -82 -84 L -50 -14 L -18 -76 L 14 -10 L 46 -76 L 82 -20', '#f7e3a8', 5) +
    ellipse(0, -96, 82, 25, '#fdf1d6', { stroke: '#c89b3c', 'stroke-width': 6 }) +
    circle(0, -138, 32, skin) +
    mirrored(eye(13, -142, 8)) +
    stroke('M -10 -124 Q 0 -116 10 -124', INK, 3) +
    mirrored(stroke('M 146 -84 L 60 -112', '#a8703a', 7) + circle(58, -113, 9, '#f2e6cc'))
  )
}

export function conchHerald(shell: string, skin: string): Svg {
  return (
    path('M -90 0 C -90 -30 -64 -36 -50 -60 L -20 -60 C -8 -36 60 -30 96 0 Z', skin) +
    path(
      'M -30 -28 C -44 -96 0 -128 50 -124 L 150 -176 L 106 -78 C 104 -34 50 -14 -30 -28 Z',
      shell,
    ) +
    path('M -30 -28 C -40 -70 -16 -98 18 -100 C 8 -76 8 -50 24 -28 Z', lighter(shell, 0.55)) +
    stroke(
      'M 30 -116 C 44 -84 50 -50 46 -28 M 66 -130 C 82 -104 86 -70 76 -44 M 96 -148 C 108 -130 110 -110 100 -82',
      darker(shell, 0.3),
      5,
    ) +
    circle(-48, -84, 26, skin) +
    stroke('M -58 -104 L -72 -132 M -40 -106 L -38 -138', skin, 6) +
    eye(-72, -134, 9) +
    eye(-38, -140, 9) +
    path('M -68 -76 L -152 -102 L -156 -60 Z', '#f0c246') +
    ellipse(-153, -81, 9, 24, '#f8dd86') +
    rect(-110, -82, 52, 42, '#c5314a') +
    polygon('-110,-40 -97,-52 -84,-40 -71,-52 -58,-40', '#c5314a') +
    polygon(starPoints(-84, -62, 11, 5, 5), '#fbe5a1')
  )
}

export function stiltStar(skin: string, x: number, foot: number, top: number): Svg {
  return (
    stroke(
      `M ${x - 10} ${foot} L ${x - 16} ${top + 26} M ${x + 10} ${foot} L ${x + 16} ${top + 26}`,
      '#8a5a34',
      6,
    ) +
    polygon(starPoints(x, top, 44, 21, 5), skin, {
      'stroke-linejoin': 'round',
      stroke: skin,
      'stroke-width': 8,
    }) +
    repeat(5, (i) =>
      circle(
        x + 24 * Math.cos(i * 1.2566 - 1.57),
        top + 24 * Math.sin(i * 1.2566 - 1.57),
        4,
        lighter(skin, 0.45),
      ),
    ) +
    group({ transform: `translate(${x} 0)` }, mirrored(eye(9, top - 2, 6.5))) +
    stroke(`M ${x - 7} ${top + 11} q 7 6 14 0`, INK, 2.6)
  )
}

export function whale(skin: string, belly: string, mark: string): Svg {
  return (
    path(
      'M 118 -70 C 150 -84 160 -130 204 -140 C 204 -112 192 -102 214 -74 C 186 -72 160 -52 128 -40 Z',
      darker(skin, 0.1),
    ) +
    path(
      'M -160 -70 C -160 -140 -60 -150 0 -138 C 70 -124 104 -88 140 -66 C 110 -16 20 6 -70 0 C -130 -6 -160 -30 -160 -70 Z',
      skin,
    ) +
    path(
      'M -160 -62 C -110 -36 -30 -40 30 -10 C 0 2 -40 4 -70 0 C -130 -6 -158 -30 -160 -62 Z',
      belly,
    ) +
    stroke(
      'M -130 -42 Q -112 -20 -90 -8 M -104 -40 Q -86 -22 -62 -8 M -74 -36 Q -56 -22 -36 -10',
      darker(belly, 0.2),
      3,
    ) +
    path('M -30 -30 C -10 -10 -10 26 -34 44 C -52 20 -60 -6 -58 -30 Z', darker(skin, 0.2)) +
    eye(-112, -76, 10) +
    stroke('M 14 -60 h 16 v -8 C 6 -82 16 -116 44 -116 C 72 -116 82 -82 58 -68 v 8 h 16', mark, 9) +
    stroke(
      'M -70 -140 C -74 -170 -96 -176 -110 -170 M -70 -140 C -66 -172 -44 -180 -30 -172 M -70 -140 L -70 -182',
      '#cdf2ff',
      6,
    )
  )
}
