import type { Canvas } from '../canvas'
import * as scenery from '../scenery'
import { put } from '../scenery'
import {
  circle,
  ellipse,
  group,
  lighter,
  path,
  polygon,
  rect,
  repeat,
  type Svg,
  stroke,
} from '../svg'
import * as ships from './ships'

/* What lies behind the ships and the crew of Perihelion Drift. */

export function deepSpace(c: Canvas, night: string, clouds: readonly string[]): Svg {
  const haze = clouds
    .map((color, i) => {
      const paint = c.radial([color, color], [0.75, 0])
      const [x, y] = [c.width * (0.3 + i * 0.45), c.height * (0.34 + i * 0.36)]
      return ellipse(x, y, c.width * 0.52, c.height * 0.5, paint)
    })
    .join('')
  const bright = repeat(4, () =>
    ships.shipStar(c.random.between(0, c.width), c.random.between(0, c.height), 11, '#ffffff'),
  )
  return rect(0, 0, c.width, c.height, night) + haze + scenery.stars(c, 70, '#ffffff') + bright
}

export const laser = (c: Canvas, color: string) =>
  stroke(`M ${c.width * 0.82} ${c.height * 0.4} L ${c.width + 10} ${c.height * 0.26}`, color, 5) +
  stroke(`M ${c.width * 0.82} ${c.height * 0.62} L ${c.width + 10} ${c.height * 0.5}`, color, 5)

export function letters(c: Canvas): Svg {
  return repeat(8, () => {
    const [x, y] = [c.random.between(0, c.width), c.random.between(0, c.height)]
    const transform = `translate(${x} ${y}) rotate(${c.random.between(-40, 40)}) scale(${c.random.between(0.5, 1)})`
    return group(
      { transform },
      rect(-20, -14, 40, 28, '#f6efdc') + stroke('M -20 -14 L 0 4 L 20 -14', '#c8553a', 3),
    )
  })
}

/** Rows of tally strokes, as on a slate. */
export function sums(c: Canvas): Svg {
  return repeat(5, (row) =>
    repeat(4, (i) => {
      const [x, y] = [c.width * 0.06 + i * 26, c.height * 0.66 + row * 22]
      const strokes = `M ${x} ${y} v 14 M ${x + 5} ${y} v 14 M ${x + 10} ${y} v 14 M ${x - 3} ${y + 12} L ${x + 14} ${y + 2}`
      return i < 5 - row ? stroke(strokes, '#f4ecff', 2, { opacity: 0.75 }) : ''
    }),
  )
}

export function speedLines(c: Canvas, color: string): Svg {
  return repeat(26, () => {
    const [x, y] = [c.random.between(-40, c.width), c.random.between(0, c.height)]
    const long = c.random.between(40, 150)
    return stroke(`M ${x} ${y} l ${long} ${-long * 0.36}`, color, c.random.between(1, 3.4), {
      opacity: 0.5,
    })
  })
}

export function wreckage(c: Canvas, color: string): Svg {
  return repeat(12, () => {
    const shade = lighter(color, c.random.between(0, 0.25))
    const [x, y] = [c.random.between(0, c.width), c.random.between(0, c.height)]
    return ships.asteroid(x, y, c.random.between(7, 24), shade, c.random.between(0, 360))
  })
}

export function bridgeWindow(c: Canvas): Svg {
  const frame = `M ${c.width * 0.06} ${c.height * 0.86} L ${c.width * 0.16} ${c.height * 0.1} H ${c.width * 0.84} L ${c.width * 0.94} ${c.height * 0.86} Z`
  const stars = repeat(26, () => {
    const [x, y] = [c.random.between(0.16, 0.84) * c.width, c.random.between(0.12, 0.8) * c.height]
    return circle(x, y, c.random.between(1, 2.6), '#fff6d8')
  })
  return (
    path(frame, '#141a36', { stroke: '#7a3f1f', 'stroke-width': 10 }) +
    stars +
    stroke(
      `M ${c.width * 0.36} ${c.height * 0.1} L ${c.width * 0.3} ${c.height * 0.86} M ${c.width * 0.64} ${c.height * 0.1} L ${c.width * 0.7} ${c.height * 0.86}`,
      '#7a3f1f',
      8,
    )
  )
}

export function pipes(c: Canvas): Svg {
  const colors = ['#a8683f', '#6b7f8c', '#8c8f5a', '#a8483f']
  return repeat(9, (i) => {
    const color = colors[i % 4] ?? '#6b7f8c'
    const x = (c.width * (i + 0.5)) / 9
    const bend = c.random.between(0.2, 0.7) * c.height
    const d = `M ${x} -10 V ${bend} H ${x + c.random.pick([-44, 44])} V ${c.height + 10}`
    return (
      stroke(d, '#1f1618', 24) +
      stroke(d, color, 18) +
      stroke(d, lighter(color, 0.35), 4) +
      circle(x, bend, 13, lighter(color, 0.15))
    )
  })
}

export function hold(c: Canvas): Svg {
  const boxes = repeat(6, (i) => {
    const [x, y] = [(i % 3) * c.width * 0.36 - 20, c.height * (0.08 + Math.floor(i / 3) * 0.36)]
    return rect(x, y, c.width * 0.3, c.height * 0.3, '#2a4a44', {
      rx: 5,
      stroke: '#16302c',
      'stroke-width': 5,
    })
  })
  const light = polygon(
    [
      [c.width * 0.42, 0],
      [c.width * 0.62, 0],
      [c.width * 0.96, c.height],
      [c.width * 0.1, c.height],
    ],
    '#fff0b0',
    { opacity: 0.24 },
  )
  return boxes + light
}

export function blackHole(c: Canvas): Svg {
  const [x, y, r] = [c.width / 2, c.height * 0.5, c.height * 0.22]
  const disc = [
    [2.6, '#5a1f7a'],
    [2.2, '#a82f8c'],
    [1.85, '#f0683f'],
    [1.5, '#ffd86b'],
  ] as const
  const ring = (half: 0 | 1) =>
    disc
      .map(([size, color]) =>
        path(
          `M ${x - r * size} ${y} A ${r * size} ${r * size * 0.3} 0 0 ${half} ${x + r * size} ${y} Z`,
          color,
        ),
      )
      .join('')
  return group(
    { transform: `rotate(-16 ${x} ${y})` },
    ring(1),
    circle(x, y, r * 1.34, '#ffcf7a', { opacity: 0.9 }),
    circle(x, y, r * 1.18, '#000000'),
    ring(0),
    ellipse(x, y, r * 1.12, r * 0.2, '#000000'),
  )
}

export function coins(c: Canvas): Svg {
  return repeat(9, (i) => {
    const [x, y] = scenery.onCircle(c.width / 2, c.height / 2, 90 + i * 15, i * 0.9 + 0.4)
    const shape = {
      transform: `rotate(${i * 37} ${x} ${y})`,
      stroke: '#8c5a12',
      'stroke-width': 2.4,
    }
    return ellipse(x, y, 14, 14 - i, '#f2c94f', shape)
  })
}

export function prominences(c: Canvas): Svg {
  const loops = repeat(7, (i) => {
    const x = c.width * (0.04 + i * 0.16)
    const high = c.height * c.random.between(0.26, 0.58)
    const foot = c.height * 0.86
    const d = `M ${x} ${foot} C ${x - 34} ${foot - high} ${x + 90} ${foot - high * 1.2} ${x + 60} ${foot}`
    return stroke(d, '#ff7a1f', 20, { opacity: 0.8 }) + stroke(d, '#ffd84f', 8)
  })
  const [x, y, r] = [c.width / 2, c.height * 1.75, c.height * 1.08]
  const wind = repeat(18, (i) => {
    const lift = c.height * (0.05 + i * 0.034)
    return stroke(
      `M ${c.width} ${lift} Q ${c.width * 0.6} ${lift + 30} ${c.random.between(0.2, 0.6) * c.width} ${lift - 8}`,
      '#ffb07a',
      2,
      { opacity: 0.6 },
    )
  })
  return (
    wind +
    loops +
    circle(x, y, r * 1.04, '#ff9a2f') +
    circle(x, y, r, '#ffc94f') +
    circle(x, y, r * 0.92, '#fff0a8')
  )
}

export function droplets(c: Canvas): Svg {
  const at: readonly (readonly [number, number, number])[] = [
    [0.3, 0.3, 13],
    [0.36, 0.2, 8],
    [0.66, 0.24, 11],
    [0.7, 0.36, 6],
    [0.28, 0.44, 6],
  ]
  return at
    .map(
      ([x, y, r]) =>
        circle(x * c.width, y * c.height, r, '#a8602f') +
        circle(x * c.width - r * 0.3, y * c.height - r * 0.3, r * 0.3, '#f8dcb0'),
    )
    .join('')
}

export function radar(c: Canvas, green: string): Svg {
  const [x, y] = [c.width / 2, c.height / 2]
  const rings = repeat(5, (i) =>
    circle(x, y, 28 + i * 34, 'none', { stroke: green, 'stroke-width': 1.6, opacity: 0.5 }),
  )
  const grid = stroke(`M 0 ${y} H ${c.width} M ${x} 0 V ${c.height}`, green, 1.4, { opacity: 0.5 })
  const sweep = path(
    `M ${x} ${y} L ${x + 170} ${y - 90} A 192 192 0 0 0 ${x + 90} ${y - 170} Z`,
    green,
    { opacity: 0.3 },
  )
  const wave = repeat(3, (i) => {
    const points = Array.from({ length: 41 }, (_, n) => {
      const swing = Math.sin(n * 0.9 + i * 2) * Math.sin((n * Math.PI) / 40) * (46 - i * 12)
      return `${(n * c.width) / 40} ${y + 66 + swing}`
    })
    return stroke(`M ${points.join(' L ')}`, lighter(green, i * 0.3), 3.4 - i, {
      opacity: 1 - i * 0.25,
    })
  })
  const ghost =
    path(
      `M ${x + 84} ${y + 40} C ${x + 20} ${y + 44} ${x - 66} ${y + 20} ${x - 50} ${y - 50} C ${x - 40} ${y - 104} ${x + 40} ${y - 108} ${x + 46} ${y - 46} C ${x + 50} ${y - 6} ${x + 20} ${y + 30} ${x + 84} ${y + 40} Z`,
      green,
    ) +
    stroke(
      `M ${x - 44} ${y - 24} q -34 4 -44 -22 M ${x + 44} ${y - 20} q 34 -4 40 -34`,
      green,
      13,
    ) +
    ellipse(x - 20, y - 52, 8, 14, '#06140f') +
    ellipse(x + 16, y - 52, 8, 14, '#06140f') +
    ellipse(x - 2, y - 22, 8, 10, '#06140f')
  return rings + grid + sweep + ghost + wave
}

export function blueprint(c: Canvas): Svg {
  const pale = '#d8ecff'
  const lines = repeat(Math.ceil(c.width / 24), (i) =>
    stroke(`M ${i * 24} 0 V ${c.height}`, pale, 0.7, { opacity: 0.3 }),
  )
  const rows = repeat(Math.ceil(c.height / 24), (i) =>
    stroke(`M 0 ${i * 24} H ${c.width}`, pale, 0.7, { opacity: 0.3 }),
  )
  const outline = { fill: 'none', stroke: pale, 'stroke-width': 2.6 }
  const petals = repeat(10, (i) =>
    ellipse(0, -74, 17, 42, 'none', { ...outline, transform: `rotate(${i * 36})` }),
  )
  const front =
    circle(0, 0, 34, 'none', outline) +
    circle(0, 0, 118, 'none', { ...outline, 'stroke-dasharray': '6 6', 'stroke-width': 1.4 }) +
    petals +
    stroke('M -140 0 H 140 M 0 -140 V 140', pale, 1.2, { 'stroke-dasharray': '14 5 3 5' })
  const side =
    path(
      'M -190 0 C -170 -34 -90 -38 0 -32 L 130 -30 L 160 -20 L 160 20 L 130 30 L 0 32 C -90 38 -170 34 -190 0 Z',
      '#ffffff10',
      outline,
    ) +
    rect(-66, -96, 22, 192, 'none', { ...outline, rx: 10 }) +
    stroke(
      'M -180 -8 C -160 -28 -130 -32 -108 -33 L -112 -4 Z M 60 -30 V 30 M 80 -30 V 30 M 150 -24 V 24',
      pale,
      2.4,
    ) +
    repeat(4, (i) => circle(96 + i * 13, 0, 4, 'none', outline)) +
    stroke(
      'M -190 122 H 160 M -190 112 V 132 M 160 112 V 132 M 196 -96 V 96 M 186 -96 H 206 M 186 96 H 206',
      pale,
      1.8,
    )
  return (
    rect(0, 0, c.width, c.height, c.linear(['#1f5fae', '#123a7a'])) +
    lines +
    rows +
    put(c, 0.56, 0.22, 0.9, front) +
    put(c, 0.49, 0.53, 0.86, side) +
    circle(c.width * 0.86, c.height * 0.1, 26, 'none', outline) +
    stroke(
      `M ${c.width * 0.86} ${c.height * 0.1 - 34} v 68 M ${c.width * 0.86 - 34} ${c.height * 0.1} h 68`,
      pale,
      1.6,
    )
  )
}
