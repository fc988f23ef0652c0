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
import { halo } from './folk'
import { FINE, hatch, INKED, LINE } from './pen'

/* The things of Vellum & Thorn: books, relics, weather and towers. Each stands on (0, 0) and is some 200 units high. */

export function openBook(x: number, y: number, scale: number, cover: string): Svg {
  const page = (side: number) =>
    path(
      `M 0 0 C ${side * 20} -14 ${side * 44} -12 ${side * 62} -6 L ${side * 62} 42 C ${side * 44} 36 ${side * 20} 36 0 48 Z`,
      '#f8eccb',
      FINE,
    ) +
    repeat(4, (i) => hatch(`M ${side * 12} ${4 + i * 9} q ${side * 20} -10 ${side * 40} -6`, 1.8))
  return placed(
    x,
    y,
    { scale },
    path('M -68 -4 L 68 -4 L 68 50 L 0 58 L -68 50 Z', cover, INKED),
    page(-1),
    page(1),
  )
}

export const closedBook = (x: number, y: number, width: number, color: string) =>
  rect(x - width / 2, y - 26, width, 26, color, { ...FINE, rx: 4 }) +
  rect(x - width / 2 + 6, y - 20, width - 4, 14, '#f6e8c4', FINE) +
  rect(x - width / 2, y - 26, 16, 26, darker(color, 0.25), { ...FINE, rx: 4 })

/** Candles on three steps, each step with its tally. */
export function candleSteps(stone: string): Svg {
  const step = (row: number) => {
    const [count, wide, y] = [6 - row * 2 + (row === 2 ? 1 : 0), 330 - row * 96, -row * 52]
    const lights = repeat(count, (i) => {
      const x = -wide / 2 + ((i + 0.5) * wide) / count
      return taper(x, y - 44 - ((i * 29 + row * 17) % 4) * 7, ((i * 29 + row * 17) % 4) * 7 + 40)
    })
    const tally = repeat(count, (i) => hatch(`M ${-wide / 2 + 18 + i * 11} ${y - 30} l 0 18`, 3))
    return lights + rect(-wide / 2, y - 44, wide, 46, lighter(stone, row * 0.12), INKED) + tally
  }
  return [2, 1, 0].map(step).join('')
}

const taper = (x: number, y: number, tall: number) =>
  rect(x - 9, y - 24, 18, tall, '#fbf3dc', FINE) +
  path(
    `M ${x} ${y - 26} C ${x - 13} ${y - 34} ${x - 9} ${y - 50} ${x} ${y - 66} C ${x + 9} ${y - 50} ${x + 13} ${y - 34} ${x} ${y - 26} Z`,
    '#ee8b2d',
    FINE,
  )

export function orrery(brass: string): Svg {
  const orbit = (rx: number, ry: number, turn: number) =>
    group(
      { transform: `rotate(${turn} 0 -110)` },
      ellipse(0, -110, rx, ry, 'none', { stroke: LINE, 'stroke-width': 10 }),
      ellipse(0, -110, rx, ry, 'none', { stroke: brass, 'stroke-width': 5 }),
    )
  const planet = (x: number, y: number, r: number, color: string) => circle(x, y, r, color, INKED)
  return (
    orbit(146, 54, -18) +
    orbit(120, 96, 24) +
    orbit(92, 40, 62) +
    halo(0, -110, 58, brass) +
    circle(0, -110, 36, '#f6dfae', INKED) +
    hatch(
      'M -18 -116 q 7 6 13 0 M 5 -116 q 7 6 13 0 M 0 -112 l -4 14 l 6 0 M -8 -90 q 8 5 16 0',
      2.8,
    ) +
    planet(-136, -74, 17, '#c8553a') +
    planet(140, -152, 13, '#5f93a8') +
    planet(-62, -196, 15, '#8fae5c') +
    planet(88, -36, 20, '#e3c15a') +
    planet(52, -196, 10, '#d9d2c0') +
    planet(-92, -12, 11, '#7a5a94')
  )
}

export function cabinet(wood: string): Svg {
  const drawers = repeat(4, (row) =>
    repeat(5, (column) => {
      const [x, y] = [-130 + column * 52, -150 + row * 38]
      const label = rect(x + 14, y + 8, 24, 10, '#f6e8c4', FINE)
      const front = rect(x, y, 52, 38, lighter(wood, ((row + column) % 3) * 0.08), FINE)
      return front + label + circle(x + 26, y + 26, 4, '#d9b24a', FINE)
    }),
  )
  return rect(-142, -162, 284, 164, darker(wood, 0.3), INKED) + drawers
}

export function openDrawer(wood: string): Svg {
  const drops = ['#5f93c8', '#8fc0d8', '#3f6f9f', '#a9b8e8', '#d8e8f4']
  const shower = repeat(22, (i) => {
    const [x, y] = [-40 + (i % 8) * 20 + (i % 3) * 4, -142 + Math.floor(i / 8) * 34 + (i % 4) * 7]
    return path(`M ${x} ${y} q -8 14 0 20 q 8 -6 0 -20 Z`, drops[i % 5] ?? '#5f93c8', FINE)
  })
  return (
    rect(-34, -76, 136, 74, LINE) +
    polygon('-34,-76 -56,-46 124,-46 102,-76', lighter(wood, 0.3), INKED) +
    rect(-56, -46, 180, 48, wood, INKED) +
    circle(34, -20, 7, '#d9b24a', FINE) +
    shower +
    path(
      'M -70 -164 C -110 -168 -100 -220 -56 -212 C -46 -250 30 -256 44 -216 C 86 -236 128 -200 104 -170 C 84 -152 -40 -154 -70 -164 Z',
      '#e9eef4',
      INKED,
    ) +
    hatch('M -40 -190 q 16 -18 34 -6 M 20 -200 q 20 -14 38 2')
  )
}

export function sleepingMoon(color: string): Svg {
  return (
    path('M 40 -216 A 108 108 0 1 0 92 -40 A 88 96 0 0 1 40 -216 Z', color, {
      ...INKED,
      'stroke-width': 5,
    }) +
    path(
      'M -2 -150 C 20 -140 30 -120 20 -110 C 34 -100 36 -90 24 -84 C 30 -76 26 -64 10 -62',
      color,
      INKED,
    ) +
    hatch('M -34 -128 q 18 16 38 4 M -30 -118 l -6 8 M -16 -114 l -2 10 M -2 -116 l 3 9', 4) +
    path('M 4 -90 q 12 -6 18 2 q -6 10 -18 -2 Z', '#b8483c', FINE) +
    circle(-34, -84, 15, '#eeb08a', { opacity: 0.8 }) +
    path(
      'M 66 -20 L 30 -62 C 22 -78 34 -84 42 -74 L 62 -50 L 40 -112 C 40 -126 54 -124 58 -112 L 84 -52 Q 110 -40 112 -6 Z',
      '#e3b48a',
      INKED,
    )
  )
}

export function seaMap(): Svg {
  const island = (d: string, color: string) => path(d, color, INKED)
  return (
    path(
      'M -176 -190 C -120 -206 -60 -182 0 -194 C 60 -206 120 -182 176 -192 L 170 -6 C 110 6 60 -16 0 -4 C -60 8 -120 -14 -172 -2 Z',
      '#f2e0b0',
      INKED,
    ) +
    repeat(5, (i) =>
      stroke(
        `M -170 ${-164 + i * 36} q 85 ${i % 2 === 0 ? 12 : -12} 170 0 t 170 0`,
        '#c9a972',
        1.6,
      ),
    ) +
    island(
      'M -140 -160 C -110 -176 -70 -160 -74 -130 C -60 -110 -100 -96 -118 -112 C -148 -112 -160 -146 -140 -160 Z',
      '#8fae5c',
    ) +
    island(
      'M 40 -80 C 70 -100 120 -80 116 -50 C 110 -26 70 -30 60 -44 C 36 -40 24 -64 40 -80 Z',
      '#c98a4a',
    ) +
    island('M -60 -60 C -40 -74 -14 -60 -20 -40 C -30 -24 -62 -34 -60 -60 Z', '#8fae5c') +
    polygon('-112,-128 -100,-152 -88,-128', '#6f5a44', FINE) +
    polygon('76,-56 88,-82 100,-56', '#6f5a44', FINE) +
    stroke('M -96 -108 Q -60 -100 -44 -56 T 52 -60', '#b8402f', 3.4, {
      'stroke-dasharray': '9 8',
    }) +
    hatch('M 74 -54 l 16 16 m 0 -16 l -16 16', 5) +
    polygon(starPoints(106, -146, 34, 9, 8), '#3f6f8f', FINE) +
    circle(106, -146, 8, '#f2e0b0', FINE) +
    stroke('M -20 -150 q 14 -22 28 0 q 14 22 28 0 q 12 -20 24 -2', '#3f7f74', 8) +
    path(
      'M 120 20 C 70 10 40 -10 20 -34 L 34 -46 C 60 -30 100 -30 170 -40 L 180 30 Z',
      '#e3b48a',
      INKED,
    ) +
    path(
      'M 30 -32 L -16 -26 L 20 -50 C 60 -90 120 -150 160 -160 C 140 -100 80 -50 30 -32 Z',
      '#f8f2e2',
      INKED,
    )
  )
}

export const splash = (x: number, y: number, r: number, color: string) =>
  polygon(starPoints(x, y, r, r * 0.62, 11), color, {
    'stroke-linejoin': 'round',
    stroke: color,
    'stroke-width': r * 0.3,
  }) +
  circle(x + r * 1.4, y - r * 0.8, r * 0.22, color) +
  circle(x - r * 1.3, y + r * 0.9, r * 0.28, color) +
  circle(x + r * 0.8, y + r * 1.4, r * 0.16, color)

export function hourglass(frame: string, sand: string): Svg {
  return (
    path(
      'M -64 -214 C -64 -140 -12 -130 -10 -110 C -12 -90 -64 -80 -64 -6 L 64 -6 C 64 -80 12 -90 10 -110 C 12 -130 64 -140 64 -214 Z',
      '#dbe8ea',
      INKED,
    ) +
    path('M -40 -164 C -28 -140 -8 -128 -4 -112 L 4 -112 C 8 -128 28 -140 40 -164 Z', sand, FINE) +
    path('M -62 -6 C -60 -40 -30 -66 0 -72 C 30 -66 60 -40 62 -6 Z', sand, FINE) +
    stroke('M 0 -112 L 0 -70', sand, 5) +
    ellipse(0, -34, 26, 22, '#f6ecd2', FINE) +
    rect(-13, -20, 26, 14, '#f6ecd2', FINE) +
    circle(-10, -36, 7, LINE) +
    circle(10, -36, 7, LINE) +
    hatch('M -6 -16 l 0 8 M 0 -16 l 0 8 M 6 -16 l 0 8') +
    stroke('M -44 -200 C -44 -160 -24 -140 -20 -128', '#ffffff', 5) +
    rect(-88, -6, 176, 22, frame, INKED) +
    rect(-88, -236, 176, 22, frame, INKED) +
    rect(-82, -214, 12, 208, lighter(frame, 0.2), INKED) +
    rect(70, -214, 12, 208, lighter(frame, 0.2), INKED)
  )
}

export const fire = (x: number, y: number, scale: number, outer: string, inner: string) =>
  placed(
    x,
    y,
    { scale },
    path(
      'M 0 0 C -70 -6 -74 -70 -40 -110 C -38 -86 -26 -80 -22 -92 C -30 -130 -6 -160 6 -190 C 10 -150 36 -140 38 -104 C 48 -110 50 -122 48 -132 C 80 -90 72 -6 0 0 Z',
      outer,
      INKED,
    ),
    path(
      'M 0 -4 C -40 -8 -42 -44 -22 -72 C -16 -54 -8 -56 -4 -66 C -8 -92 4 -104 8 -122 C 12 -92 32 -78 28 -56 C 46 -60 40 -8 0 -4 Z',
      inner,
      FINE,
    ),
  )

export function hedgeMaze(leaf: string): Svg {
  const ring = (r: number, gap: number) => {
    const around = 2 * Math.PI * r
    const dash = `${around - 26} 26`
    const turn = { transform: `rotate(${gap} 0 -114)` }
    const lined = { 'stroke-dasharray': dash, ...turn }
    return (
      circle(0, -114, r, 'none', { stroke: LINE, 'stroke-width': 19, ...lined }) +
      circle(0, -114, r, 'none', { stroke: leaf, 'stroke-width': 13, ...lined })
    )
  }
  return (
    ring(136, 80) +
    ring(110, 250) +
    ring(84, 20) +
    ring(58, 170) +
    hatch('M 0 -228 L 0 -204 M 84 -36 L 66 -50', 9) +
    circle(0, -114, 38, '#5f8a3f', INKED) +
    path('M -26 -112 C -30 -64 30 -64 26 -112 Z', lighter(leaf, 0.25), INKED) +
    ellipse(0, -120, 22, 19, '#c9a06b', FINE) +
    path(
      'M -34 -132 C -26 -166 26 -166 34 -132 C 12 -140 -12 -140 -34 -132 Z',
      darker(leaf, 0.2),
      INKED,
    ) +
    circle(-8, -122, 3.4, LINE) +
    circle(8, -122, 3.4, LINE) +
    hatch('M -6 -108 q 6 4 12 0')
  )
}

export const toadstool = (x: number, y: number, scale: number, cap: string) =>
  placed(
    x,
    y,
    { scale },
    path('M -13 0 C -8 -24 -10 -44 -12 -60 L 12 -60 C 10 -44 8 -24 13 0 Z', '#f6ecd2', INKED),
    path('M -52 -54 C -46 -116 46 -116 52 -54 C 20 -44 -20 -44 -52 -54 Z', cap, INKED),
    circle(-20, -74, 8, '#f8f0d8', FINE),
    circle(12, -86, 10, '#f8f0d8', FINE),
    circle(30, -66, 5, '#f8f0d8', FINE),
  )

export function unwrittenDoor(wood: string, night: string): Svg {
  const sketched = {
    fill: 'none',
    stroke: LINE,
    'stroke-width': 3,
    'stroke-dasharray': '3 9',
    'stroke-linecap': 'round',
  }
  return (
    path('M -86 0 L -86 -150 C -86 -250 86 -250 86 -150 L 86 0 Z', '#efe2bf', sketched) +
    path('M -66 0 L -66 -146 C -66 -222 66 -222 66 -146 L 66 0 Z', night, INKED) +
    repeat(16, (i) =>
      polygon(starPoints(-48 + ((i * 37) % 98), -20 - ((i * 53) % 150), 5, 2, 4), '#f6e9b8'),
    ) +
    path('M -66 0 L -66 -146 C -66 -190 -40 -208 -14 -204 L -14 18 Z', wood, INKED) +
    hatch('M -52 -6 L -52 -172 M -38 -2 L -38 -194 M -26 6 L -26 -200', 2.6) +
    circle(-22, -84, 6, '#d9b24a', FINE) +
    stroke('M 86 -40 L 128 -60 M 86 -90 L 140 -96 M -86 -130 L -130 -150', LINE, 2.4, {
      'stroke-dasharray': '3 8',
    }) +
    path('M 90 4 L 104 -26 L 150 -86 C 158 -90 164 -84 160 -76 L 114 -18 Z', '#3f6f8f', INKED)
  )
}

export function spiralTower(stone: string): Svg {
  const tiers = repeat(9, (i) => {
    const [wide, y] = [252 - i * 24, -i * 27]
    const windows = repeat(Math.max(2, 8 - i), (n) => {
      const x = -wide / 2 + ((n + 0.5) * wide) / Math.max(2, 8 - i)
      return path(
        `M ${x - 5} ${y - 6} v -9 a 5 5 0 0 1 10 0 v 9 Z`,
        (n * 3 + i) % 4 === 0 ? '#f4c64a' : LINE,
      )
    })
    const ramp = stroke(`M ${-wide / 2} ${y - 2} L ${wide / 2} ${y - 12}`, darker(stone, 0.3), 3)
    return rect(-wide / 2, y - 27, wide, 28, lighter(stone, i * 0.05), FINE) + ramp + windows
  })
  return (
    tiers +
    path('M -26 -243 C -26 -282 26 -282 26 -243 Z', '#b8483c', INKED) +
    hatch('M 0 -272 L 0 -296', 4) +
    polygon('0,-296 30,-288 0,-278', '#d9a53a', FINE)
  )
}

export function saltCrystals(color: string): Svg {
  const crystal = (x: number, high: number, wide: number, lean: number) => {
    const tip: Point = [x + lean, -high]
    return (
      polygon(
        [
          [x - wide, 0],
          [x - wide + lean * 0.7, -high * 0.74],
          tip,
          [x + wide + lean * 0.7, -high * 0.7],
          [x + wide, 0],
        ],
        color,
        INKED,
      ) +
      polygon(
        [
          [x, 0],
          [x + lean * 0.7, -high * 0.62],
          tip,
          [x + wide + lean * 0.7, -high * 0.7],
          [x + wide, 0],
        ],
        darker(color, 0.14),
        FINE,
      )
    )
  }
  return (
    crystal(-98, 96, 22, -34) +
    crystal(98, 110, 24, 36) +
    crystal(-52, 164, 26, -20) +
    crystal(56, 150, 26, 20) +
    crystal(0, 222, 32, 0) +
    crystal(-26, 70, 18, -8) +
    crystal(30, 84, 18, 8)
  )
}

export function bell(bronze: string): Svg {
  return (
    path('M -22 -206 C -22 -236 22 -236 22 -206', 'none', { ...INKED, 'stroke-width': 12 }) +
    circle(0, -2, 22, darker(bronze, 0.4), INKED) +
    path(
      'M -36 -206 C -40 -216 40 -216 36 -206 C 60 -190 62 -110 70 -70 C 76 -44 96 -30 104 -14 L -104 -14 C -96 -30 -76 -44 -70 -70 C -62 -110 -60 -190 -36 -206 Z',
      bronze,
      INKED,
    ) +
    path('M -30 -200 C -50 -170 -52 -110 -60 -70 C -64 -44 -78 -30 -84 -18', 'none', {
      stroke: lighter(bronze, 0.5),
      'stroke-width': 6,
      'stroke-linecap': 'round',
    }) +
    hatch('M -72 -66 L 72 -66 M -66 -84 L 66 -84 M -86 -36 L 86 -36', 3.4) +
    repeat(5, (i) => polygon(starPoints(-48 + i * 24, -126, 10, 4, 4), '#f4e3ae', FINE))
  )
}

export function footnotePage(): Svg {
  const lines = repeat(8, (i) => hatch(`M -104 ${-206 + i * 15} H ${i % 4 === 3 ? 40 : 104}`, 3))
  return (
    rect(-132, -232, 264, 240, '#f6e9c6', INKED) +
    rect(-112, -214, 40, 42, '#8c3b2f', FINE) +
    path('M -102 -180 L -92 -208 L -82 -180 M -98 -190 h 12', 'none', {
      stroke: '#f4c64a',
      'stroke-width': 4,
    }) +
    group({ transform: 'translate(0 12)' }, lines) +
    hatch('M -104 -58 H -30', 2.4) +
    hatch('M -96 -40 l 6 -6 l 0 22', 3.4)
  )
}

export function heresyWave(dark: string, pale: string): Svg {
  return (
    path(
      'M -240 20 C -200 -60 -150 -220 0 -226 C 90 -228 130 -170 110 -120 C 96 -90 60 -94 60 -120 C 30 -100 40 -50 90 -30 C 140 -10 200 -10 260 20 Z',
      dark,
      INKED,
    ) +
    path('M -180 6 C -140 -80 -100 -180 0 -190 C 50 -194 80 -170 74 -146', 'none', {
      stroke: pale,
      'stroke-width': 10,
      'stroke-linecap': 'round',
    }) +
    path('M -130 6 C -100 -70 -70 -130 0 -142', 'none', {
      stroke: pale,
      'stroke-width': 7,
      'stroke-linecap': 'round',
    }) +
    path('M -80 8 C -56 -40 -40 -76 0 -88', 'none', {
      stroke: pale,
      'stroke-width': 5,
      'stroke-linecap': 'round',
    }) +
    [
      [108, -122],
      [92, -98],
      [66, -112],
      [122, -146],
      [118, -172],
    ]
      .map(([x = 0, y = 0]) => circle(x, y, 13, pale, FINE))
      .join('') +
    splash(140, -60, 10, pale)
  )
}

export function crown(gold: string): Svg {
  return (
    path(
      'M -110 0 L -134 -136 L -70 -70 L -46 -170 L 0 -82 L 46 -170 L 70 -70 L 134 -136 L 110 0 Z',
      gold,
      INKED,
    ) +
    path(
      'M -110 0 C -60 18 60 18 110 0 L 116 -32 C 60 -14 -60 -14 -116 -32 Z',
      darker(gold, 0.18),
      INKED,
    ) +
    [
      [-134, -140],
      [-46, -174],
      [46, -174],
      [134, -140],
    ]
      .map(([x = 0, y = 0]) => circle(x, y, 13, '#8fd0d8', INKED))
      .join('') +
    polygon('0,-70 18,-46 0,-22 -18,-46', '#2f7f8f', INKED) +
    circle(-62, -42, 10, '#b8402f', FINE) +
    circle(62, -42, 10, '#b8402f', FINE) +
    stroke('M -100 -20 L -118 -104 M -44 -60 L -42 -132', lighter(gold, 0.6), 5)
  )
}

export function lighthouse(stone: string, light: string): Svg {
  return (
    path('M -46 0 L -30 -170 L 30 -170 L 46 0 Z', stone, INKED) +
    path('M -42 -44 L -38 -84 L 38 -84 L 42 -44 Z', darker(stone, 0.5), FINE) +
    path('M -34 -124 L -31 -160 L 31 -160 L 34 -124 Z', darker(stone, 0.5), FINE) +
    rect(-40, -182, 80, 13, darker(stone, 0.35), INKED) +
    rect(-24, -222, 48, 40, light, INKED) +
    hatch('M -8 -222 L -8 -182 M 8 -222 L 8 -182', 3) +
    path('M -34 -222 C -30 -262 30 -262 34 -222 Z', '#26222f', INKED) +
    path('M -34 -222 C -70 -180 -64 -120 -78 -80 C -50 -100 -40 -150 -26 -216 Z', '#26222f', {
      ...INKED,
      opacity: 0.92,
    }) +
    path('M -10 0 L -10 -30 C -10 -42 10 -42 10 -30 L 10 0 Z', '#3a2418', FINE)
  )
}

export function streetLamp(light: string): Svg {
  return (
    rect(-6, -150, 12, 150, '#2c2a38', INKED) +
    path('M -24 -150 L 24 -150 L 34 -214 L -34 -214 Z', light, INKED) +
    polygon('-42,-214 42,-214 0,-246', '#2c2a38', INKED) +
    path('M 0 -156 C -16 -162 -12 -186 0 -202 C 12 -186 16 -162 0 -156 Z', '#ee8b2d', FINE) +
    rect(-26, -10, 52, 14, '#2c2a38', INKED)
  )
}
