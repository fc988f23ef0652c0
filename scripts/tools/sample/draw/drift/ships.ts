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

/*
 * The ships and stations of Perihelion Drift. Each is centred on (0, 0), its bow to the left, and
 * some 300 units long.
 */

const NIGHT = '#10131f'

const exhaust = (x: number, y: number, long: number, wide: number, color: string) =>
  path(
    `M ${x} ${y - wide} Q ${x + long} ${y - wide * 0.3} ${x + long} ${y} Q ${x + long} ${y + wide * 0.3} ${x} ${y + wide} Z`,
    color,
    { opacity: 0.45 },
  ) +
  path(`M ${x} ${y - wide * 0.5} Q ${x + long * 0.6} ${y} ${x} ${y + wide * 0.5} Z`, '#ffffff', {
    opacity: 0.9,
  })

const portholes = (x: number, y: number, count: number, gap: number, color: string) =>
  repeat(count, (i) => circle(x + i * gap, y, 4.5, color))

export interface Liner {
  hull: string
  petal: string
  refit: boolean
}

/** T.S.V. Marigold: a survey ship whose collectors open like a flower behind the bow. */
export function marigold({ hull, petal, refit }: Liner): Svg {
  const petals = repeat(refit ? 14 : 10, (i) =>
    placed(
      -20,
      0,
      { turn: (i * 360) / (refit ? 14 : 10) },
      ellipse(0, -74, 17, 42, i % 2 === 0 ? petal : darker(petal, 0.2)),
      stroke('M 0 -40 L 0 -106', darker(petal, 0.35), 2),
    ),
  )
  const guns = refit
    ? rect(-110, -40, 92, 9, '#5a6378', { rx: 3 }) +
      rect(-110, 31, 92, 9, '#5a6378', { rx: 3 }) +
      polygon('40,-22 130,-86 112,-20', darker(hull, 0.3)) +
      polygon('40,22 130,86 112,20', darker(hull, 0.3))
    : ''
  return (
    exhaust(126, -14, refit ? 110 : 70, 13, '#7fd8ff') +
    exhaust(126, 14, refit ? 110 : 70, 13, '#7fd8ff') +
    petals +
    guns +
    path(
      'M -150 0 C -130 -34 -60 -38 0 -32 L 110 -30 L 130 -20 L 130 20 L 110 30 L 0 32 C -60 38 -130 34 -150 0 Z',
      hull,
    ) +
    path('M -150 0 C -130 34 -60 38 0 32 L 110 30 L 130 20 L 130 6 Z', darker(hull, 0.2)) +
    path('M -146 -4 C -132 -24 -100 -30 -80 -30 L -84 -4 Z', '#2b4a6b') +
    path('M -136 -10 C -124 -22 -108 -26 -96 -27 L -98 -14 Z', '#a8e0ff') +
    circle(-20, 0, 34, darker(petal, 0.1)) +
    circle(-20, 0, 24, lighter(petal, 0.35)) +
    repeat(8, (i) =>
      circle(-20 + 14 * Math.cos(i * 0.785), 14 * Math.sin(i * 0.785), 3, darker(petal, 0.4)),
    ) +
    rect(36, -30, 9, 60, petal) +
    rect(52, -30, 5, 60, petal) +
    portholes(70, -4, 4, 13, '#ffe9a8') +
    rect(124, -24, 14, 48, '#4a5266', { rx: 3 })
  )
}

export function courier(hull: string, patch: string): Svg {
  return (
    exhaust(110, 0, 90, 26, '#ffb35e') +
    circle(150, -34, 18, '#ffffff', { opacity: 0.15 }) +
    circle(186, -58, 26, '#ffffff', { opacity: 0.1 }) +
    path(
      'M -130 10 C -130 -30 -90 -58 -30 -60 L 90 -54 L 112 -30 L 112 36 L 80 56 L -70 56 C -110 54 -130 40 -130 10 Z',
      hull,
    ) +
    path('M -130 12 C -126 40 -108 54 -70 56 L 80 56 L 112 36 L 112 10 Z', darker(hull, 0.22)) +
    path('M -122 -8 C -112 -34 -84 -48 -56 -52 L -48 -8 Z', '#123a4a') +
    path('M -108 -16 C -98 -34 -80 -42 -66 -45 L -64 -22 Z', '#bff4ff') +
    rect(-10, -34, 52, 40, patch, { transform: 'rotate(-6 16 -14)' }) +
    repeat(4, (i) => circle(-6 + (i % 2) * 44, -30 + Math.floor(i / 2) * 30, 2.6, NIGHT)) +
    rect(50, 8, 38, 30, lighter(patch, 0.25), { transform: 'rotate(8 70 22)' }) +
    rect(-66, 10, 58, 38, '#f6efdc') +
    stroke('M -66 10 L -37 32 L -8 10', '#c8553a', 4) +
    polygon('30,-58 60,-112 78,-56', darker(hull, 0.3)) +
    stroke('M -30 -60 L -44 -100', '#8fa0ae', 4) +
    circle(-45, -104, 6, '#ff6b5a') +
    rect(104, -26, 16, 56, '#39424f', { rx: 4 })
  )
}

export function dagger(hull: string, line: string): Svg {
  return (
    exhaust(118, 0, 60, 10, line) +
    polygon('-196,8 -20,-22 90,-92 70,-24 136,-14 136,16 70,26 90,70 -20,24', hull) +
    polygon('-196,8 -20,2 136,0 136,16 70,26 90,70 -20,24', darker(hull, 0.5)) +
    stroke('M -186 8 L 130 0', line, 3) +
    stroke('M -10 -20 L 78 -74 M -10 22 L 78 56', line, 2.4) +
    polygon('-60,-8 -10,-16 0,-4 -56,2', line) +
    repeat(6, (i) => rect(24 + i * 16, -9, 8, 4, lighter(line, 0.6)))
  )
}

export function freighter(hull: string, boxes: readonly string[]): Svg {
  const load = repeat(14, (i) => {
    const [x, y] = [-96 + (i % 7) * 34, i < 7 ? -52 : 12]
    const color = boxes[(i * 3 + 1) % boxes.length] ?? hull
    return (
      rect(x, y, 31, 40, color) +
      stroke(
        `M ${x + 8} ${y + 4} v 32 M ${x + 16} ${y + 4} v 32 M ${x + 24} ${y + 4} v 32`,
        darker(color, 0.3),
        2.4,
      )
    )
  })
  return (
    exhaust(178, -14, 60, 12, '#9fd4ff') +
    exhaust(178, 16, 60, 12, '#9fd4ff') +
    load +
    rect(-110, -14, 260, 28, darker(hull, 0.3)) +
    path('M -190 0 C -186 -40 -150 -46 -104 -46 L -104 46 C -150 46 -186 40 -190 0 Z', hull) +
    rect(-176, -20, 44, 15, '#ffe49a', { rx: 5 }) +
    rect(-118, -46, 14, 92, '#f0a83a') +
    rect(140, -44, 42, 88, hull, { rx: 6 }) +
    rect(150, -34, 8, 68, darker(hull, 0.3)) +
    portholes(-160, 12, 4, 13, '#9fe0ff')
  )
}

export const needle = (hull: string, trim: string) =>
  exhaust(66, 0, 170, 9, '#d48fff') +
  polygon('-130,0 20,-11 70,-9 70,9 20,11', hull) +
  polygon('-130,0 70,2 70,9 20,11', darker(hull, 0.3)) +
  polygon('10,-8 66,-46 78,-40 62,-6', trim) +
  polygon('10,8 66,46 78,40 62,6', darker(trim, 0.25)) +
  ellipse(-30, -5, 22, 5, '#8fe8ff') +
  rect(42, -10, 7, 20, trim)

export function salvager(hull: string): Svg {
  const plates: readonly [number, number, number, number, string][] = [
    [-80, -60, 60, 44, '#8c6a3f'],
    [-14, -64, 52, 50, '#5f7f8c'],
    [44, -56, 56, 46, '#a8553a'],
    [-88, -8, 46, 60, '#6b7a4a'],
    [-36, -8, 70, 62, '#c9a24a'],
    [40, -4, 62, 54, '#7a5a7f'],
  ]
  const claw = (flip: boolean) =>
    placed(
      -70,
      flip ? 40 : -36,
      { turn: flip ? -16 : 16 },
      stroke('M 0 0 L -60 0 L -110 0', '#8a93a3', 13),
      circle(-60, 0, 11, '#4a5262'),
      path(`M -104 -8 C -150 -40 -176 -20 -182 -6 L -160 -10 L -136 4 Z`, '#c2cad6'),
      path(`M -104 8 C -150 40 -176 26 -182 12 L -160 12 L -136 0 Z`, '#c2cad6'),
    )
  return (
    exhaust(104, -26, 60, 16, '#ffcf6b') +
    exhaust(104, 24, 60, 16, '#ffcf6b') +
    claw(false) +
    claw(true) +
    path(
      'M -100 0 C -100 -60 -60 -72 0 -72 L 110 -62 L 110 56 L 0 64 C -60 64 -100 50 -100 0 Z',
      hull,
    ) +
    plates
      .map(
        ([x, y, wide, tall, color]) =>
          rect(x, y, wide, tall, color) +
          repeat(4, (i) =>
            circle(
              x + 6 + (i % 2) * (wide - 12),
              y + 6 + Math.floor(i / 2) * (tall - 12),
              2.6,
              NIGHT,
            ),
          ),
      )
      .join('') +
    polygon('-36,-66 -44,-118 -16,-92 4,-128 24,-92 52,-118 44,-66', '#f2c94f') +
    repeat(3, (i) => circle(-18 + i * 22, -78, 6, '#c2405a')) +
    circle(-62, -34, 18, '#bfefff') +
    circle(-67, -39, 7, '#ffffff')
  )
}

export function sailShip(sail: string, hull: string): Svg {
  const panel = (points: readonly Point[], share: number) =>
    polygon(points, lighter(sail, share), { opacity: 0.95 })
  return (
    panel(
      [
        [0, -150],
        [0, 0],
        [-160, 0],
      ],
      0.1,
    ) +
    panel(
      [
        [0, -150],
        [160, 0],
        [0, 0],
      ],
      0.42,
    ) +
    panel(
      [
        [0, 150],
        [0, 0],
        [-160, 0],
      ],
      0.3,
    ) +
    panel(
      [
        [0, 150],
        [160, 0],
        [0, 0],
      ],
      0,
    ) +
    stroke(
      'M 0 -150 L 0 150 M -160 0 L 160 0 M -80 -75 L 80 75 M -80 75 L 80 -75',
      darker(sail, 0.4),
      2,
    ) +
    stroke('M 0 -150 L 160 0 L 0 150 L -160 0 Z', '#fff8e0', 3) +
    ellipse(0, 0, 46, 15, hull) +
    ellipse(-16, -3, 13, 6, '#bff4ff') +
    circle(40, 0, 5, '#ff8f5a')
  )
}

export function ringStation(metal: string, glow: string): Svg {
  const pods = repeat(12, (i) => {
    const angle = (i * Math.PI) / 6
    const [x, y] = [150 * Math.cos(angle), 62 * Math.sin(angle)]
    return (
      rect(x - 13, y - 13, 26, 26, lighter(metal, 0.2), { rx: 5 }) + rect(x - 6, y - 5, 12, 8, glow)
    )
  })
  return (
    ellipse(0, 0, 150, 62, 'none', { stroke: darker(metal, 0.45), 'stroke-width': 30 }) +
    ellipse(0, 0, 150, 62, 'none', { stroke: metal, 'stroke-width': 22 }) +
    stroke('M -150 0 L 150 0 M -72 -56 L 72 56 M 72 -56 L -72 56', darker(metal, 0.3), 8) +
    pods +
    rect(-20, -112, 40, 196, lighter(metal, 0.1), { rx: 16 }) +
    ellipse(0, 0, 44, 26, metal) +
    portholes(0, -88, 1, 0, glow) +
    repeat(6, (i) => rect(-12, -70 + i * 24, 24, 7, glow, { rx: 3 })) +
    stroke('M 0 -112 L 0 -150', metal, 5) +
    circle(0, -154, 6, '#ff6b5a')
  )
}

export function rockMarket(rock: string, lamp: string): Svg {
  const dome = (x: number, y: number, r: number) =>
    path(`M ${x - r} ${y} A ${r} ${r} 0 0 1 ${x + r} ${y} Z`, lamp, { opacity: 0.9 }) +
    stroke(
      `M ${x} ${y - r} V ${y} M ${x - r * 0.6} ${y} Q ${x - r * 0.5} ${y - r * 0.8} ${x} ${y - r} Q ${x + r * 0.5} ${y - r * 0.8} ${x + r * 0.6} ${y}`,
      darker(lamp, 0.5),
      2,
    ) +
    rect(x - r - 4, y - 2, r * 2 + 8, 9, '#4a4150')
  const neon: readonly [number, number, string][] = [
    [-96, 30, '#ff5f8a'],
    [-30, 52, '#5fe0d0'],
    [44, 30, '#ffd84f'],
    [100, 44, '#8fa8ff'],
    [0, 4, '#ff8f4f'],
  ]
  return (
    path(
      'M -170 10 C -180 -50 -110 -80 -60 -62 C -20 -96 60 -90 90 -60 C 150 -60 184 -10 160 40 C 130 100 50 86 0 104 C -70 110 -150 80 -170 10 Z',
      rock,
    ) +
    path(
      'M -170 10 C -150 80 -70 110 0 104 C 50 86 130 100 160 40 C 120 70 40 50 -10 70 C -70 84 -130 60 -170 10 Z',
      darker(rock, 0.35),
    ) +
    circle(-120, -18, 18, darker(rock, 0.25)) +
    circle(124, -14, 14, darker(rock, 0.25)) +
    dome(-56, -58, 40) +
    dome(42, -74, 52) +
    dome(112, -46, 24) +
    neon
      .map(
        ([x, y, color]) =>
          rect(x - 22, y - 10, 44, 20, NIGHT, { stroke: color, 'stroke-width': 4, rx: 4 }) +
          stroke(`M ${x - 12} ${y} h 24`, color, 4),
      )
      .join('') +
    stroke('M -170 20 L -214 20 M 164 20 L 210 30', '#8a93a3', 9) +
    repeat(10, (i) => circle(-140 + i * 31, 72 - Math.abs(5 - i) * 6, 3, lamp))
  )
}

export function dish(metal: string, beam: string): Svg {
  const arcs = repeat(4, (i) =>
    stroke(
      `M ${-96 - i * 26} ${-66 - i * 34} A ${60 + i * 40} ${60 + i * 40} 0 0 1 ${-18 + i * 24} ${-150 - i * 24}`,
      beam,
      6,
      { opacity: 1 - i * 0.2 },
    ),
  )
  return (
    arcs +
    stroke('M -20 60 L 20 -30 L 60 60 M 2 12 L 40 12', darker(metal, 0.3), 9) +
    group(
      { transform: 'rotate(-38 20 -40)' },
      ellipse(20, -40, 104, 46, darker(metal, 0.35)) +
        ellipse(20, -46, 104, 40, metal) +
        ellipse(20, -50, 78, 26, lighter(metal, 0.3)) +
        stroke('M 20 -46 L 20 -120 M -30 -50 L 20 -116 L 70 -50', darker(metal, 0.4), 5) +
        circle(20, -122, 10, beam),
    ) +
    rect(70, 22, 70, 40, metal, { rx: 4 }) +
    portholes(84, 40, 4, 14, '#ffe49a')
  )
}

export const asteroid = (x: number, y: number, r: number, color: string, turn: number) =>
  placed(
    x,
    y,
    { turn },
    polygon(
      [
        [-r, -r * 0.2],
        [-r * 0.5, -r * 0.8],
        [r * 0.2, -r * 0.7],
        [r * 0.9, -r * 0.4],
        [r, r * 0.3],
        [r * 0.3, r * 0.8],
        [-r * 0.6, r * 0.7],
      ],
      color,
    ),
    polygon(
      [
        [-r, -r * 0.2],
        [-r * 0.2, r * 0.1],
        [r, r * 0.3],
        [r * 0.3, r * 0.8],
        [-r * 0.6, r * 0.7],
      ],
      darker(color, 0.3),
    ),
    circle(-r * 0.2, -r * 0.35, r * 0.18, darker(color, 0.3)),
  )

export interface Planet {
  r: number
  colors: readonly [string, string]
  ring?: string
  bands?: number
}

export function planet(x: number, y: number, { r, colors, ring, bands = 0 }: Planet): Svg {
  const [light, dark] = colors
  const belts = repeat(bands, (i) => {
    const lift = -r * 0.7 + (i * r * 1.4) / Math.max(1, bands - 1)
    const half = Math.sqrt(r * r - lift * lift)
    return path(
      `M ${x - half} ${y + lift} Q ${x} ${y + lift + r * 0.22} ${x + half} ${y + lift} L ${x + half * 0.98} ${y + lift + r * 0.1} Q ${x} ${y + lift + r * 0.34} ${x - half * 0.98} ${y + lift + r * 0.1} Z`,
      dark,
      { opacity: 0.55 },
    )
  })
  const shade = path(
    `M ${x + r * 0.2} ${y - r * 0.98} A ${r} ${r} 0 1 1 ${x - r * 0.5} ${y + r * 0.87} A ${r * 1.25} ${r * 1.25} 0 0 0 ${x + r * 0.2} ${y - r * 0.98} Z`,
    darker(dark, 0.5),
    { opacity: 0.65 },
  )
  const halfRing = (sweep: 0 | 1) =>
    ring === undefined
      ? ''
      : group(
          { transform: `rotate(-16 ${x} ${y})` },
          stroke(
            `M ${x - r * 1.75} ${y} A ${r * 1.75} ${r * 0.44} 0 0 ${sweep} ${x + r * 1.75} ${y}`,
            ring,
            r * 0.16,
          ),
        )
  return (
    halfRing(1) +
    circle(x, y, r * 1.08, light, { opacity: 0.18 }) +
    circle(x, y, r, light) +
    belts +
    shade +
    halfRing(0)
  )
}

export const shipStar = (x: number, y: number, r: number, color: string) =>
  polygon(starPoints(x, y, r, r * 0.16, 4), color)
