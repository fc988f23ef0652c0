import {
  circle,
  darker,
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
import { FINE, hatch, INKED, LINE } from './pen'
import { closedBook } from './things'

/* The beasts of Vellum & Thorn. Each stands on (0, 0) and is some 200 units high. */

export interface Wyrm {
  skin: string
  belly: string
  wing: string
}

export function wyrm({ skin, belly, wing }: Wyrm): Svg {
  const body =
    'M 150 -20 C 110 20 20 10 -20 -20 C -70 -60 -10 -110 40 -90 C 90 -70 70 -20 10 -26 C -80 -36 -110 -110 -60 -160 C -46 -174 -30 -180 -16 -184'
  return (
    path(
      'M -54 -120 C -110 -210 -160 -200 -176 -168 C -150 -166 -146 -150 -150 -132 C -128 -138 -118 -126 -116 -108 C -96 -116 -78 -104 -66 -92 Z',
      wing,
      INKED,
    ) +
    path(
      'M -20 -120 C 40 -220 110 -220 140 -190 C 112 -182 108 -166 112 -148 C 90 -150 78 -140 76 -120 C 50 -126 26 -112 -2 -92 Z',
      wing,
      INKED,
    ) +
    stroke(body, LINE, 44) +
    stroke(body, skin, 36) +
    stroke(body, belly, 9, { 'stroke-dasharray': '3 12' }) +
    polygon('140,-40 190,-44 160,-2', skin, INKED) +
    path(
      'M -34 -200 C -20 -226 20 -226 34 -206 L 76 -192 C 84 -176 66 -170 40 -168 C 10 -160 -24 -166 -34 -200 Z',
      skin,
      INKED,
    ) +
    polygon('-28,-212 -52,-244 -8,-222', belly, INKED) +
    polygon('0,-222 -6,-256 22,-220', belly, INKED) +
    circle(14, -198, 8, '#f8e58c', FINE) +
    circle(16, -198, 3.4, LINE) +
    hatch('M 30 -176 Q 54 -184 74 -182 M 68 -196 l 3 2') +
    stroke('M 78 -182 q 22 6 30 -6 m -8 10 q 8 8 16 4', '#c8402f', 4)
  )
}

export function hatchling(skin: string, shell: string): Svg {
  return (
    closedBook(0, 0, 200, '#8c3b2f') +
    closedBook(-14, -26, 160, '#3e6b5a') +
    closedBook(8, -52, 180, '#b98a2f') +
    path(
      'M -62 -80 C -66 -118 -40 -124 -50 -124 L -30 -108 L -14 -128 L 4 -106 L 22 -128 L 38 -108 L 56 -124 C 66 -110 64 -96 60 -80 Z',
      shell,
      INKED,
    ) +
    stroke('M 0 -92 C -34 -130 28 -140 6 -178', LINE, 36) +
    stroke('M 0 -92 C -34 -130 28 -140 6 -178', skin, 28) +
    path(
      'M -62 -78 C -58 -62 56 -62 60 -78 L 56 -106 L 36 -94 L 20 -110 L 2 -92 L -16 -112 L -32 -94 L -54 -108 Z',
      shell,
      INKED,
    ) +
    path(
      'M -30 -196 C -26 -226 40 -226 42 -196 C 60 -190 62 -174 44 -170 C 20 -160 -30 -164 -30 -196 Z',
      skin,
      INKED,
    ) +
    circle(2, -196, 11, '#fdf5cf', FINE) +
    circle(4, -195, 5.5, LINE) +
    hatch('M 16 -176 Q 36 -170 50 -180') +
    path('M 18 -222 L 70 -240 L 60 -196 L 40 -212 Z', shell, INKED) +
    repeat(9, (i) => circle(-44 + i * 11, -84 + (i % 2) * 8, 2.6, darker(shell, 0.4)))
  )
}

export function heron(feather: string): Svg {
  const leg = (x: number) => stroke(`M ${x} -70 L ${x + 4} 0 l -14 0 m 14 0 l 16 0`, LINE, 5)
  return (
    leg(-6) +
    leg(22) +
    path('M -36 -78 C -20 -124 50 -128 92 -72 C 60 -56 0 -52 -36 -78 Z', feather, INKED) +
    path('M 0 -92 C 30 -110 70 -96 92 -72 C 60 -72 24 -70 0 -92 Z', darker(feather, 0.35), INKED) +
    stroke('M -24 -86 C -70 -110 20 -170 -20 -206', LINE, 25) +
    stroke('M -24 -86 C -70 -110 20 -170 -20 -206', feather, 17) +
    path('M -44 -222 C -36 -244 6 -240 8 -214 C 4 -196 -34 -196 -44 -222 Z', feather, INKED) +
    path('M -40 -222 L -116 -202 L -36 -206 Z', '#e0a33a', INKED) +
    path('M 4 -226 C 30 -244 52 -238 66 -224 C 44 -220 24 -216 4 -214 Z', LINE) +
    circle(-20, -220, 11, '#fdf6dc', FINE) +
    circle(-21, -219, 4.5, LINE) +
    hatch('M -31 -224 L -48 -230 M -9 -224 L 8 -228', 2.6) +
    rect(-120, -202, 16, 40, '#8c3b2f', FINE) +
    rect(-130, -164, 36, 13, '#5a2c20', FINE)
  )
}

export function raven(): Svg {
  const feather = '#2c2a38'
  const quill = (turn: number, long: number) =>
    placed(
      30,
      -96,
      { turn },
      path(
        `M -13 0 C -16 ${-long * 0.6} -6 ${-long} 0 ${-long} C 6 ${-long} 16 ${-long * 0.6} 13 0 Z`,
        feather,
        INKED,
      ),
    )
  const wing =
    [112, 100, 88, 76, 64, 52].map((turn, i) => quill(turn, 112 + i * 15)).join('') +
    path(
      'M 8 -84 C 20 -140 70 -170 128 -178 C 120 -140 80 -96 24 -66 Z',
      lighter(feather, 0.12),
      INKED,
    )
  return (
    wing +
    group({ transform: 'scale(-1 1)' }, wing) +
    polygon('-26,8 -44,62 -16,50 0,70 16,50 44,62 26,8', feather, INKED) +
    path(
      'M -44 -70 C -42 -130 42 -130 42 -70 C 40 -20 24 10 0 26 C -24 10 -42 -20 -44 -70 Z',
      lighter(feather, 0.08),
      INKED,
    ) +
    hatch('M -18 -40 q 8 10 16 0 M 4 -40 q 8 10 16 0 M -8 -16 q 8 10 16 0', 2.6) +
    circle(0, -132, 33, lighter(feather, 0.08), INKED) +
    path('M -24 -146 L -92 -124 L -24 -114 Z', '#77707c', INKED) +
    hatch('M -88 -124 L -30 -128', 2.6) +
    circle(-8, -142, 8, '#e8c84a') +
    circle(-10, -142, 3.4, LINE)
  )
}

export function salamanderSeal(wax: string): Svg {
  return (
    polygon(starPoints(0, -114, 124, 108, 17), darker(wax, 0.2), {
      ...INKED,
      'stroke-linejoin': 'round',
      'stroke-width': 8,
    }) +
    circle(0, -114, 94, wax, INKED) +
    circle(0, -114, 82, 'none', { stroke: lighter(wax, 0.35), 'stroke-width': 3 }) +
    stroke(
      'M -12 -166 C -70 -150 -70 -76 -14 -64 C 46 -54 66 -110 32 -132 C 10 -146 -16 -126 -2 -108',
      '#2e120d',
      26,
    ) +
    stroke(
      'M -12 -166 C -70 -150 -70 -76 -14 -64 C 46 -54 66 -110 32 -132 C 10 -146 -16 -126 -2 -108',
      '#f2a23a',
      17,
    ) +
    path('M -22 -184 C 10 -196 38 -178 36 -164 C 30 -150 -10 -148 -22 -156 Z', '#f2a23a', INKED) +
    circle(18, -172, 4.5, LINE) +
    hatch('M -54 -138 l -20 -10 M -52 -88 l -20 12 M 8 -60 l 4 24 M 48 -88 l 22 8', 7) +
    repeat(7, (i) => circle(-46 + i * 13, -96 + Math.abs(3 - i) * -9 + 22, 4, '#b8402f'))
  )
}

export function smallFish(x: number, y: number, scale: number, color: string, flip = false): Svg {
  return placed(
    x,
    y,
    { scale, flip },
    path('M -40 0 C -20 -26 24 -22 36 0 C 24 22 -20 26 -40 0 Z', color, INKED),
    polygon('30,0 58,-22 52,0 58,22', color, INKED),
    circle(-22, -5, 5, '#fdf6dc', FINE),
    hatch('M -8 -14 q 8 14 0 28 M 8 -14 q 8 14 0 28'),
  )
}

export function glassPike(colors: readonly string[]): Svg {
  const shards = [
    '-170,-100 -110,-140 -96,-96 -150,-86',
    '-150,-86 -96,-96 -104,-60 -146,-70',
    '-110,-140 -50,-158 -40,-104 -96,-96',
    '-96,-96 -40,-104 -44,-50 -104,-60',
    '-50,-158 20,-156 24,-106 -40,-104',
    '-40,-104 24,-106 20,-48 -44,-50',
    '20,-156 84,-132 86,-98 24,-106',
    '24,-106 86,-98 80,-66 20,-48',
    '84,-132 120,-110 120,-92 86,-98',
    '86,-98 120,-92 80,-66',
    '120,-110 178,-156 160,-100',
    '120,-92 160,-100 174,-46',
    '-20,-158 16,-200 60,-142 20,-156',
    '-30,-50 -4,-14 20,-48',
  ]
  const glass = shards
    .map((shard, i) =>
      polygon(shard, colors[i % colors.length] ?? LINE, { ...INKED, 'stroke-width': 5 }),
    )
    .join('')
  return glass + circle(-116, -108, 13, '#fff6d6', INKED) + circle(-118, -108, 5, LINE)
}

export function eelMonk(skin: string, cowl: string): Svg {
  const body = 'M 130 -6 C 40 30 -30 -10 10 -50 C 50 -84 100 -60 92 -100 C 84 -140 10 -120 -20 -150'
  return (
    stroke(body, LINE, 50) +
    stroke(body, skin, 41) +
    stroke('M 130 -18 C 40 16 -18 -12 20 -46', lighter(skin, 0.3), 7, {
      'stroke-dasharray': '16 12',
    }) +
    path(
      'M 10 -126 C -10 -90 -70 -90 -96 -120 C -110 -180 -60 -236 -10 -224 C 36 -212 40 -160 10 -126 Z',
      cowl,
      INKED,
    ) +
    path(
      'M -84 -134 C -96 -180 -60 -214 -24 -204 C 0 -192 0 -150 -20 -132 C -40 -118 -70 -118 -84 -134 Z',
      '#1a1524',
      INKED,
    ) +
    path('M -104 -150 C -90 -184 -40 -190 -24 -164 C -20 -142 -60 -130 -104 -142 Z', skin, INKED) +
    circle(-58, -166, 9, '#f4e58c', FINE) +
    circle(-60, -166, 4, LINE) +
    hatch('M -100 -146 L -48 -150', 3) +
    stroke('M -60 -110 C -70 -70 -40 -60 -30 -96', '#d9b24a', 5) +
    rect(-60, -80, 12, 32, '#d9b24a', FINE) +
    rect(-70, -70, 32, 11, '#d9b24a', FINE)
  )
}

export function tentacle(x: number, y: number, scale: number, color: string, flip = false): Svg {
  const arm = 'M 0 40 C -10 -40 60 -60 40 -130 C 30 -170 -20 -170 -22 -136 C -22 -116 4 -112 8 -128'
  return placed(
    x,
    y,
    { scale, flip },
    stroke(arm, LINE, 40),
    stroke(arm, color, 31),
    stroke('M 10 40 C 4 -30 66 -70 52 -130', '#f4d8c4', 9, { 'stroke-dasharray': '1 15' }),
  )
}
