import {
  circle,
  darker,
  ellipse,
  lighter,
  path,
  polygon,
  rect,
  repeat,
  type Svg,
  starPoints,
  stroke,
} from '../svg'
import { FINE, hatch, INKED, LINE } from './pen'
import { fire, openBook, splash } from './things'

/* The people of Vellum & Thorn, and their hands. Each stands on (0, 0) and is some 200 units high. */

export const halo = (x: number, y: number, r: number, color: string) =>
  polygon(starPoints(x, y, r, r * 0.86, 27), color, FINE) +
  circle(x, y, r * 0.74, lighter(color, 0.35), FINE)

const face = (x: number, y: number, skin: string) =>
  ellipse(x, y, 19, 24, skin, FINE) +
  hatch(
    `M ${x - 11} ${y - 4} q 5 -4 9 0 M ${x + 2} ${y - 4} q 5 -4 9 0 M ${x} ${y - 2} l -3 11 l 4 0 M ${x - 5} ${y + 15} q 6 3 11 0`,
    2,
  )

export function abbess(robe: string, veil: string): Svg {
  return (
    halo(0, -176, 58, '#e9b93a') +
    path('M -78 0 C -66 -70 -52 -120 -28 -136 L 28 -136 C 52 -120 66 -70 78 0 Z', robe, INKED) +
    hatch('M -40 -2 C -36 -40 -32 -60 -26 -78 M 40 -2 C 36 -40 32 -60 26 -78 M 0 -2 L 0 -46') +
    path(
      'M -46 -112 C -54 -196 -26 -218 0 -218 C 26 -218 54 -196 46 -112 C 30 -126 -30 -126 -46 -112 Z',
      veil,
      INKED,
    ) +
    path('M -28 -142 C -30 -196 30 -196 28 -142 Z', '#f8efd9', FINE) +
    face(0, -164, '#e3b48a') +
    openBook(0, -92, 0.86, '#7d2c26') +
    ellipse(-44, -66, 14, 10, '#e3b48a', FINE) +
    ellipse(44, -66, 14, 10, '#e3b48a', FINE)
  )
}

export function commaKnight(steel: string, field: string): Svg {
  return (
    stroke('M 74 10 L 74 -236', LINE, 13) +
    stroke('M 74 10 L 74 -236', '#a9713a', 6) +
    path('M 78 -226 L 158 -206 L 78 -180 Z', field, INKED) +
    polygon('62,-234 74,-266 86,-234', steel, INKED) +
    path(
      'M -44 0 L -36 -78 L 36 -78 L 44 0 L 12 0 L 6 -44 L -6 -44 L -12 0 Z',
      darker(steel, 0.2),
      INKED,
    ) +
    path('M -50 -72 C -58 -128 -30 -148 0 -148 C 30 -148 58 -128 50 -72 Z', steel, INKED) +
    path(
      'M -30 -146 C -38 -206 38 -206 30 -146 L 20 -134 L -20 -134 Z',
      lighter(steel, 0.25),
      INKED,
    ) +
    rect(-26, -176, 52, 9, LINE) +
    hatch('M 0 -166 L 0 -136 M -12 -158 l 0 14 M 12 -158 l 0 14') +
    path('M 0 -192 C -10 -232 -60 -226 -72 -196 C -46 -206 -20 -198 0 -186 Z', field, INKED) +
    path('M 40 -118 L 84 -98 L 78 -82 L 40 -96 Z', steel, INKED) +
    path(
      'M -102 -130 L -6 -130 C -4 -70 -24 -36 -54 -14 C -84 -36 -104 -70 -102 -130 Z',
      '#f6ead0',
      INKED,
    ) +
    path(
      'M -54 -108 C -26 -108 -22 -70 -58 -44 C -52 -62 -54 -70 -62 -74 C -82 -84 -76 -108 -54 -108 Z',
      field,
      INKED,
    )
  )
}

export function matchstickMan(wood: string): Svg {
  const limb = (d: string) => stroke(d, LINE, 21) + stroke(d, wood, 13)
  return (
    limb('M 0 -70 L -46 -34 L -84 -8') +
    limb('M 0 -70 L 44 -44 L 74 0') +
    limb('M 4 -140 L 62 -116 L 96 -150') +
    limb('M 0 -138 L -52 -112 L -88 -140') +
    limb('M 0 -66 L 10 -160') +
    fire(10, -150, 0.62, '#e2542a', '#ffd45e') +
    circle(12, -176, 24, '#a8302a', INKED) +
    hatch('M 2 -182 l 8 4 M 24 -184 l -7 5 M 4 -164 q 9 -8 17 -1', 3) +
    path('M -104 -166 L -62 -166 L -62 -120 L -104 -120 Z', '#f6e8c4', INKED) +
    hatch('M -98 -156 h 30 M -98 -146 h 24 M -98 -136 h 28')
  )
}

export function saintsBoat(stone: string, sail: string): Svg {
  return (
    rect(-5, -236, 10, 190, '#7a5230', INKED) +
    path('M 8 -228 C 90 -210 110 -140 100 -84 L 8 -78 Z', sail, INKED) +
    path(
      'M 40 -190 h 14 v 26 h 24 v 14 h -24 v 44 h -14 v -44 h -22 v -14 h 22 Z',
      '#b8402f',
      FINE,
    ) +
    halo(-52, -134, 34, '#e9b93a') +
    path('M -86 -40 C -84 -90 -70 -108 -52 -108 C -34 -108 -20 -90 -18 -40 Z', '#5f7fae', INKED) +
    face(-52, -130, '#e3b48a') +
    stroke('M -24 -86 L 20 0 L 36 30', '#8a5a34', 8) +
    path(
      'M -150 -60 C -130 -40 -90 -40 0 -40 C 90 -40 130 -40 156 -66 C 150 0 90 20 0 20 C -90 20 -146 0 -150 -60 Z',
      stone,
      INKED,
    ) +
    hatch(
      'M -120 -18 L 126 -20 M -80 4 L 90 2 M -60 -38 L -56 -18 M 0 -38 L 0 -18 M 60 -38 L 58 -20 M -30 -18 L -28 4 M 34 -18 L 34 4',
    )
  )
}

export function merrow(skin: string, tail: string, hair: string): Svg {
  const curl = 'M 0 -90 C 60 -70 110 -40 96 10 C 84 50 10 44 12 4 C 14 -22 50 -24 54 2'
  return (
    path(
      'M -34 -204 C -100 -190 -80 -110 -120 -80 C -90 -70 -60 -80 -56 -120 C -50 -60 -20 -80 -10 -110 Z',
      hair,
      INKED,
    ) +
    stroke(curl, LINE, 46) +
    stroke(curl, tail, 38) +
    stroke(curl, lighter(tail, 0.4), 10, { 'stroke-dasharray': '2 13' }) +
    path(
      'M 54 -14 C 84 -40 120 -30 128 -10 C 104 -6 96 6 104 26 C 80 30 58 20 54 -14 Z',
      lighter(tail, 0.2),
      INKED,
    ) +
    path(
      'M -34 -84 C -44 -120 -30 -150 -4 -152 C 24 -150 34 -120 26 -80 C 10 -66 -20 -66 -34 -84 Z',
      lighter(tail, 0.2),
      INKED,
    ) +
    stroke('M 18 -138 L 64 -170 L 96 -214', LINE, 19) +
    stroke('M 18 -138 L 64 -170 L 96 -214', skin, 12) +
    stroke('M -24 -138 L -64 -104 L -50 -66', LINE, 19) +
    stroke('M -24 -138 L -64 -104 L -50 -66', skin, 12) +
    path(
      'M -36 -176 C -38 -216 28 -216 28 -176 C 28 -156 14 -142 -4 -142 C -22 -142 -36 -156 -36 -176 Z',
      skin,
      INKED,
    ) +
    path('M -38 -172 C -40 -224 34 -224 30 -172 C 20 -196 -14 -204 -38 -172 Z', hair, INKED) +
    hatch('M -22 -178 q 6 5 12 0 M 4 -178 q 6 5 12 0', 3) +
    ellipse(-4, -156, 8, 10, '#8c2f35', FINE) +
    circle(98, -224, 20, '#f4e3ae', INKED) +
    circle(98, -224, 9, '#e0b84a', FINE)
  )
}

export function choirmaster(robe: string): Svg {
  const bone = '#f2e8cc'
  const arm = (d: string) => stroke(d, LINE, 15) + stroke(d, bone, 8)
  return (
    path('M -80 0 C -70 -60 -60 -120 -34 -140 L 34 -140 C 60 -120 70 -60 80 0 Z', robe, INKED) +
    path('M -22 -140 L 0 -60 L 22 -140 Z', bone, FINE) +
    hatch('M -16 -124 h 32 M -12 -110 h 24 M -8 -96 h 16', 3) +
    path('M -34 -138 L -96 -160 L -120 -140 L -60 -104 Z', robe, INKED) +
    path('M 34 -138 L 96 -170 L 118 -150 L 60 -104 Z', robe, INKED) +
    arm('M -104 -152 L -138 -206') +
    arm('M 106 -160 L 132 -212') +
    stroke('M 132 -212 L 168 -262', '#7a5230', 6) +
    circle(-140, -212, 12, bone, FINE) +
    circle(133, -214, 12, bone, FINE) +
    path(
      'M -38 -186 C -42 -240 42 -240 38 -186 C 36 -168 24 -160 20 -146 L -20 -146 C -24 -160 -36 -168 -38 -186 Z',
      bone,
      INKED,
    ) +
    ellipse(-15, -190, 10, 12, LINE) +
    ellipse(15, -190, 10, 12, LINE) +
    polygon('-4,-170 4,-170 0,-178', LINE) +
    ellipse(0, -154, 9, 7, LINE) +
    path('M -46 -214 C -30 -256 30 -256 46 -214 C 16 -226 -16 -226 -46 -214 Z', '#3f5f4d', INKED) +
    hatch('M -40 -220 q -20 20 -14 50 M 40 -220 q 22 16 16 44', 5)
  )
}

export function reedDuelist(skin: string, coat: string): Svg {
  const limb = (d: string, color: string) => stroke(d, LINE, 19) + stroke(d, color, 12)
  return (
    limb('M -8 -60 L -40 -40 L -26 0 L -56 0', skin) +
    limb('M 14 -60 L 50 -44 L 44 0 L 76 0', skin) +
    path('M -34 -54 C -42 -100 -26 -136 4 -138 C 32 -136 44 -100 34 -54 Z', coat, INKED) +
    hatch('M 0 -136 L 0 -58 M -10 -118 h 4 M -10 -100 h 4 M -10 -82 h 4', 3) +
    limb('M 24 -122 L 66 -98 L 96 -124', skin) +
    stroke('M 88 -116 L 184 -206', LINE, 7) +
    stroke('M 88 -116 L 184 -206', '#e9eef4', 3.4) +
    circle(92, -120, 14, '#d9b24a', INKED) +
    limb('M -20 -122 L -60 -140 L -70 -178', skin) +
    path(
      'M -46 -168 C -46 -200 48 -204 52 -168 C 50 -142 20 -132 0 -132 C -24 -134 -44 -146 -46 -168 Z',
      skin,
      INKED,
    ) +
    circle(-22, -192, 17, skin, INKED) +
    circle(28, -194, 17, skin, INKED) +
    circle(-22, -193, 8, '#fdf6dc', FINE) +
    circle(28, -195, 8, '#fdf6dc', FINE) +
    circle(-20, -193, 4, LINE) +
    circle(30, -195, 4, LINE) +
    hatch('M -32 -158 Q 6 -142 40 -160', 3.4) +
    path('M -52 -208 C -20 -236 40 -240 62 -212 C 30 -218 -20 -218 -52 -208 Z', '#8c2f35', INKED) +
    path('M 40 -224 C 60 -268 100 -258 108 -236 C 84 -240 64 -228 50 -216 Z', '#f4e3ae', INKED)
  )
}

export function inkwellHand(glass: string, bone: string): Svg {
  const finger = (x: number, lean: number, tip: number) =>
    stroke(`M ${x} -140 L ${x + lean * 0.5} ${(-140 + tip) / 2} L ${x + lean} ${tip}`, LINE, 17) +
    stroke(`M ${x} -140 L ${x + lean * 0.5} ${(-140 + tip) / 2} L ${x + lean} ${tip}`, bone, 10) +
    circle(x + lean * 0.5, (-140 + tip) / 2, 7, bone, FINE)
  return (
    stroke('M -8 -60 L -6 -124 M 12 -60 L 10 -124', LINE, 17) +
    stroke('M -8 -60 L -6 -124 M 12 -60 L 10 -124', bone, 10) +
    path(
      'M 96 -250 C 60 -230 30 -200 14 -156 L 22 -152 C 60 -170 100 -200 96 -250 Z',
      '#e9e0f4',
      INKED,
    ) +
    finger(-28, -26, -190) +
    finger(-10, -6, -214) +
    finger(10, 10, -212) +
    finger(28, 30, -186) +
    path('M -34 -120 C -38 -150 38 -150 36 -120 C 26 -104 -24 -104 -34 -120 Z', bone, INKED) +
    stroke('M -30 -120 L -62 -150', LINE, 16) +
    stroke('M -30 -120 L -62 -150', bone, 9) +
    path('M -86 0 L -70 -62 L 70 -62 L 86 0 Z', glass, INKED) +
    ellipse(0, -62, 70, 16, darker(glass, 0.55), INKED) +
    path('M -34 -64 C -30 -54 30 -54 34 -64 Z', LINE) +
    path('M -62 -14 L -54 -46 L -34 -46 L -38 -14 Z', lighter(glass, 0.5)) +
    splash(-70, -6, 13, '#14121e') +
    splash(96, -12, 18, '#14121e')
  )
}

export function coralHand(skin: string, coral: string): Svg {
  const twig = (x: number, y: number, long: number, turn: number, depth: number): Svg => {
    const angle = (turn * Math.PI) / 180
    const [tipX, tipY] = [x + long * Math.sin(angle), y - long * Math.cos(angle)]
    const line = `M ${x} ${y} L ${tipX} ${tipY}`
    const wood = stroke(line, LINE, 8 + depth * 3) + stroke(line, coral, 3 + depth * 3)
    if (depth === 0) return wood + circle(tipX, tipY, 6, lighter(coral, 0.35), FINE)
    return (
      wood +
      twig(tipX, tipY, long * 0.72, turn - 32, depth - 1) +
      twig(tipX, tipY, long * 0.7, turn + 28, depth - 1)
    )
  }
  const finger = (x: number, lean: number, tip: number) => twig(x + lean, tip, 38, lean * 1.1, 2)
  const bone = (x: number, lean: number, tip: number) =>
    stroke(`M ${x} -90 L ${x + lean} ${tip}`, LINE, 27) +
    stroke(`M ${x} -90 L ${x + lean} ${tip}`, skin, 19)
  const fingers: readonly (readonly [number, number, number])[] = [
    [-34, -26, -148],
    [-12, -8, -166],
    [12, 8, -164],
    [34, 26, -144],
  ]
  return (
    fingers.map(([x, lean, tip]) => finger(x, lean, tip)).join('') +
    twig(-84, -110, 30, -50, 2) +
    fingers.map(([x, lean, tip]) => bone(x, lean, tip)).join('') +
    stroke('M -36 -60 L -82 -106', LINE, 27) +
    stroke('M -36 -60 L -82 -106', skin, 19) +
    path('M -46 0 L -44 -90 C -30 -112 34 -112 46 -88 L 40 0 Z', skin, INKED) +
    rect(-56, -26, 112, 30, '#d9b24a', INKED) +
    repeat(4, (i) => circle(-36 + i * 24, -11, 7, ['#b8402f', '#3f6f8f'][i % 2] ?? LINE, FINE))
  )
}

export function shadowHand(): Svg {
  const finger = (d: string) => stroke(d, '#0f0c18', 22)
  return (
    finger('M -30 -60 L -70 -150 L -60 -214') +
    finger('M -6 -70 L -20 -180 L 4 -250') +
    finger('M 20 -66 L 36 -170 L 66 -226') +
    finger('M 40 -50 L 86 -130 L 124 -160') +
    finger('M -40 -30 L -104 -60 L -130 -104') +
    path('M -54 20 L -48 -56 C -30 -86 40 -84 54 -50 L 60 20 Z', '#0f0c18')
  )
}
