import type { Canvas } from './canvas'
import {
  circle,
  darker,
  ellipse,
  group,
  lighter,
  mix,
  type Point,
  path,
  placed,
  polygon,
  rect,
  repeat,
  type Svg,
  stroke,
} from './svg'

/** A picture as layers, from the farthest to the nearest. */
export type Scene = (canvas: Canvas) => Svg[]

/** Sets a drawing down at a share of the picture's width and height, sized to the picture. */
export function put(
  canvas: Canvas,
  across: number,
  down: number,
  scale: number,
  drawing: Svg,
  { flip = false, turn = 0 }: { flip?: boolean; turn?: number } = {},
): Svg {
  const fit = Math.min(canvas.width / 430, canvas.height / 300)
  const where = { scale: scale * fit, flip, turn }
  return placed(canvas.width * across, canvas.height * down, where, drawing)
}

export const sky = (c: Canvas, colors: readonly string[], angle = 0) =>
  rect(-2, -2, c.width + 4, c.height + 4, c.linear(colors, angle))

export function bands(c: Canvas, colors: readonly string[]): Svg {
  const height = c.height / colors.length
  return colors.map((color, i) => rect(0, i * height, c.width, height + 1, color)).join('')
}

export function sunburst(c: Canvas, across: number, down: number, color: string, rays = 16): Svg {
  const [x, y, reach] = [c.width * across, c.height * down, c.width + c.height]
  const turn = c.random.between(0, 1)
  return repeat(rays, (i) => {
    const [a, b] = [i, i + 0.5].map((step) => ((step + turn) * 2 * Math.PI) / rays)
    return polygon([[x, y], onCircle(x, y, reach, a ?? 0), onCircle(x, y, reach, b ?? 0)], color)
  })
}

export function rings(c: Canvas, across: number, down: number, colors: readonly string[]): Svg {
  const reach = Math.max(c.width, c.height) * 0.85
  return colors
    .map((color, i) => {
      const radius = reach * (1 - i / colors.length)
      return circle(c.width * across, c.height * down, radius, color)
    })
    .join('')
}

export function checks(c: Canvas, size: number, color: string, turn = 45): Svg {
  const count = Math.ceil((c.width + c.height) / size)
  const squares = repeat(count, (row) =>
    repeat(Math.ceil(count / 2), (column) =>
      rect((column * 2 + (row % 2)) * size, row * size, size, size, color),
    ),
  )
  const lift = -(c.width + c.height) / 2
  const middle = `translate(${c.width / 2} ${c.height / 2})`
  return group({ transform: `${middle} rotate(${turn}) translate(${lift} ${lift})` }, squares)
}

export function dots(c: Canvas, gap: number, radius: number, color: string): Svg {
  const columns = Math.ceil(c.width / gap) + 1
  return repeat(Math.ceil(c.height / gap) + 1, (row) =>
    repeat(columns, (column) => circle((column + (row % 2) / 2) * gap, row * gap, radius, color)),
  )
}

export function stripes(c: Canvas, width: number, color: string): Svg {
  return repeat(Math.ceil(c.width / width / 2), (i) =>
    rect(i * width * 2, 0, width, c.height, color),
  )
}

export function stars(c: Canvas, count: number, color = '#fff6d8', depth = 1): Svg {
  return repeat(count, () => {
    const [x, y] = somewhere(c, 0, depth)
    return circle(x, y, c.random.between(0.6, 2.1), color, { opacity: c.random.between(0.5, 1) })
  })
}

export const sun = (x: number, y: number, r: number, color: string) =>
  circle(x, y, r * 1.7, color, { opacity: 0.18 }) +
  circle(x, y, r * 1.32, color, { opacity: 0.3 }) +
  circle(x, y, r, color)

/** A moon whose shadow comes in from the right: share 0 is full, 1 is new. */
export function moon(x: number, y: number, r: number, color: string, shade = 0): Svg {
  const glow = circle(x, y, r * 1.5, color, { opacity: 0.14 })
  if (shade === 0) {
    const craters = [
      [-0.3, -0.2, 0.22],
      [0.35, 0.3, 0.16],
      [0.1, -0.5, 0.1],
    ]
    const marks = craters
      .map(([dx = 0, dy = 0, size = 0]) =>
        circle(x + dx * r, y + dy * r, size * r, darker(color, 0.14)),
      )
      .join('')
    return glow + circle(x, y, r, color) + marks
  }
  const bulge = r * (1 - shade)
  return glow + path(crescent(x, y, r, bulge), color)
}

const crescent = (x: number, y: number, r: number, bulge: number) =>
  `M ${x} ${y - r} A ${r} ${r} 0 1 0 ${x} ${y + r} A ${r + bulge} ${r + bulge} 0 0 1 ${x} ${y - r} Z`

const cloud = (x: number, y: number, scale: number, color: string) =>
  placed(
    x,
    y,
    { scale },
    ellipse(0, 0, 62, 17, color),
    circle(-26, -10, 20, color),
    circle(4, -20, 27, color),
    circle(32, -8, 17, color),
  )

export function clouds(c: Canvas, count: number, color: string, depth = 0.5): Svg {
  return repeat(count, (i) => {
    const x = (c.width * (i + c.random.between(0.2, 0.8))) / count
    return cloud(x, c.random.between(0.08, depth) * c.height, c.random.between(0.5, 1.1), color)
  })
}

/** Rolling ground whose ridge lies at a share of the height. */
export function hills(c: Canvas, down: number, color: string, swell = 0.06): Svg {
  const steps = 5
  const ridge = Array.from({ length: steps + 1 }, (_, i): Point => {
    const lift = c.random.between(-swell, swell)
    return [(c.width * i) / steps, c.height * (down + lift)]
  })
  return path(overGround(c, ridge), color)
}

export function mountains(c: Canvas, down: number, height: number, color: string, cap = ''): Svg {
  const count = c.random.whole(4, 6)
  const gap = c.width / (count - 1)
  return repeat(count, (i) => {
    const x = gap * i + c.random.between(-0.25, 0.25) * gap
    const tall = c.height * height * c.random.between(0.55, 1)
    const foot = c.height * down
    const wide = gap * c.random.between(0.75, 1.1)
    const face = polygon(
      [
        [x - wide, foot],
        [x, foot - tall],
        [x + wide, foot],
      ],
      color,
    )
    const shade = polygon(
      [
        [x, foot - tall],
        [x + wide, foot],
        [x + wide * 0.2, foot],
      ],
      darker(color, 0.2),
    )
    const snow = polygon(
      [
        [x - wide * 0.26, foot - tall * 0.74],
        [x, foot - tall],
        [x + wide * 0.26, foot - tall * 0.74],
        [x + wide * 0.09, foot - tall * 0.8],
        [x - wide * 0.04, foot - tall * 0.7],
      ],
      cap === '' ? color : cap,
    )
    return face + shade + (cap === '' ? '' : snow)
  })
}

export const ground = (c: Canvas, down: number, color: string) =>
  rect(0, c.height * down, c.width, c.height * (1 - down) + 2, color)

/** Rows of scalloped waves from a share of the height downwards. */
export function waves(c: Canvas, down: number, colors: readonly string[], size = 22): Svg {
  const rows = colors.length
  return colors
    .map((color, row) => {
      const y = c.height * (down + ((1 - down) * row) / rows)
      const shift = (row % 2) * size - size
      const crests = repeat(Math.ceil(c.width / size / 2) + 2, (i) => {
        return `A ${size} ${size * 0.8} 0 0 1 ${shift + (i + 1) * size * 2} ${y} `
      })
      const d = `M ${shift} ${y} ${crests} L ${c.width + size * 3} ${c.height + 4} L ${shift} ${c.height + 4} Z`
      return path(d, color)
    })
    .join('')
}

/** Open water with a few bright strokes on it. */
export function water(c: Canvas, down: number, color: string, glint: string): Svg {
  const strokes = repeat(26, () => {
    const depth = c.random.between(0.02, 1)
    const y = c.height * (down + (1 - down) * depth)
    const wide = 8 + depth * 34
    const x = c.random.between(-10, c.width)
    return rect(x, y, wide, 1.5 + depth * 1.8, glint, { rx: 2, opacity: 0.55 })
  })
  return ground(c, down, c.linear([color, darker(color, 0.35)])) + strokes
}

export function lightShafts(c: Canvas, color: string, count = 5): Svg {
  return repeat(count, (i) => {
    const x = (c.width * (i + c.random.between(0.1, 0.9))) / count
    const wide = c.random.between(14, 44)
    const lean = c.random.between(-70, -20)
    const shaft: Point[] = [
      [x, -2],
      [x + wide, -2],
      [x + wide * 1.8 + lean, c.height],
      [x + lean, c.height],
    ]
    return polygon(shaft, color, { opacity: c.random.between(0.1, 0.24) })
  })
}

export function bubbles(c: Canvas, count: number, color = '#e6fbff'): Svg {
  return repeat(count, () => {
    const [x, y] = somewhere(c)
    const r = c.random.between(2, 8)
    return circle(x, y, r, color, { 'fill-opacity': 0.2, stroke: color, 'stroke-width': 1.3 })
  })
}

export function sparks(c: Canvas, count: number, color: string, from = 0, to = 1): Svg {
  return repeat(count, () => {
    const [x, y] = somewhere(c, from, to)
    const r = c.random.between(1.2, 3)
    return circle(x, y, r * 2.6, color, { opacity: 0.25 }) + circle(x, y, r, color)
  })
}

export function rain(c: Canvas, count: number, color: string, lean = 12): Svg {
  return repeat(count, () => {
    const [x, y] = somewhere(c)
    const long = c.random.between(10, 26)
    const d = `M ${x} ${y} l ${(-lean * long) / 26} ${long}`
    return stroke(d, color, 1.6, { opacity: 0.7 })
  })
}

export function confetti(c: Canvas, count: number, colors: readonly string[], depth = 1): Svg {
  return repeat(count, () => {
    const [x, y] = somewhere(c, 0, depth)
    const transform = `translate(${x} ${y}) rotate(${c.random.between(0, 180)})`
    return rect(-4, -2, 8, 4, c.random.pick(colors), { transform })
  })
}

export function grass(c: Canvas, down: number, color: string, count = 40, tall = 22): Svg {
  return repeat(count, () => {
    const x = c.random.between(0, c.width)
    const y = c.height * c.random.between(down, down + 0.06)
    const lean = c.random.between(-8, 8)
    const blade = `M ${x - 2.4} ${y} Q ${x} ${y - tall * 0.6} ${x + lean} ${y - tall} Q ${x + 2} ${y - tall * 0.5} ${x + 2.4} ${y} Z`
    return path(blade, mix(color, '#ffffff', c.random.between(0, 0.18)))
  })
}

export function flowers(c: Canvas, down: number, colors: readonly string[], count = 14): Svg {
  return repeat(count, () => {
    const [x, y] = somewhere(c, down, 0.98)
    const size = c.random.between(2.4, 4.6)
    const color = c.random.pick(colors)
    const petals = repeat(5, (i) => {
      const [px, py] = onCircle(x, y, size, (i * 2 * Math.PI) / 5)
      return circle(px, py, size * 0.72, color)
    })
    return petals + circle(x, y, size * 0.6, '#fff3c4')
  })
}

export function reeds(c: Canvas, down: number, color: string, count = 18, tall = 130): Svg {
  return repeat(count, (i) => {
    const x = (c.width * (i + c.random.between(0, 1))) / count
    const top = c.height * down - tall * c.random.between(0.5, 1)
    const lean = c.random.between(-10, 10)
    const stem = stroke(`M ${x} ${c.height} Q ${x} ${top + 50} ${x + lean} ${top}`, color, 3)
    const head = rect(x + lean - 3.5, top - 6, 7, 26, darker(mix(color, '#6b3f1d', 0.7), 0.1), {
      rx: 3.5,
    })
    return stem + (c.random.chance(0.6) ? head : '')
  })
}

export function pines(c: Canvas, down: number, color: string, count = 9, tall = 90): Svg {
  return repeat(count, (i) => {
    const x = (c.width * (i + c.random.between(0.1, 0.9))) / count
    const foot = c.height * down + c.random.between(0, 10)
    const high = tall * c.random.between(0.6, 1.15)
    const tiers = repeat(3, (tier) => {
      const top = foot - high + tier * high * 0.24
      const wide = high * (0.16 + tier * 0.08)
      return polygon(
        [
          [x, top],
          [x - wide, top + high * 0.4],
          [x + wide, top + high * 0.4],
        ],
        mix(color, '#ffffff', 0.08 - tier * 0.03),
      )
    })
    return rect(x - 3, foot - high * 0.2, 6, high * 0.2 + 4, darker(color, 0.4)) + tiers
  })
}

export function trunks(c: Canvas, color: string, count = 6): Svg {
  return repeat(count, (i) => {
    const x = (c.width * (i + c.random.between(0.15, 0.85))) / count
    const wide = c.random.between(12, 30)
    const lean = c.random.between(-14, 14)
    const d = `M ${x - wide / 2 + lean} -2 L ${x + wide / 2 + lean} -2 Q ${x + wide / 2} ${c.height * 0.7} ${x + wide} ${c.height} L ${x - wide} ${c.height} Q ${x - wide / 2} ${c.height * 0.7} ${x - wide / 2 + lean} -2 Z`
    return path(d, mix(color, '#000000', c.random.between(0, 0.25)))
  })
}

export function rooftops(c: Canvas, down: number, color: string, lit: string, count = 7): Svg {
  const gap = c.width / count
  return repeat(count, (i) => {
    const [x, wide] = [gap * i - 3, gap + 6]
    const top = c.height * down - c.random.between(0, 46)
    const walls = rect(x, top, wide, c.height, darker(color, c.random.between(0, 0.25)))
    const roof = polygon(
      [
        [x - 5, top + 1],
        [x + wide / 2, top - c.random.between(20, 44)],
        [x + wide + 5, top + 1],
      ],
      darker(color, c.random.between(0.25, 0.45)),
    )
    const panes = repeat(c.random.whole(1, 2), (pane) =>
      rect(x + wide * (0.22 + pane * 0.36), top + 14, wide * 0.2, 17, lit, { rx: 2 }),
    )
    return roof + walls + panes
  })
}

export function shelves(c: Canvas, colors: readonly string[], wood: string, rows = 3): Svg {
  const height = c.height / rows
  return repeat(rows, (row) => {
    const floor = (row + 1) * height - 7
    let x = 4
    let spines = ''
    while (x < c.width - 8) {
      const wide = c.random.between(8, 19)
      const tall = height * c.random.between(0.5, 0.8)
      const color = c.random.pick(colors)
      const cover = rect(x, floor - tall, wide, tall, color, { rx: 1.5 })
      spines += cover + rect(x, floor - tall * 0.8, wide, 4, lighter(color, 0.35))
      x += wide + c.random.pick([1, 1, 1, 2, 12])
    }
    return spines + rect(0, floor, c.width, 9, wood)
  })
}

export function arches(c: Canvas, color: string, through: string, count = 3): Svg {
  const gap = c.width / count
  const openings = repeat(count, (i) => {
    const [left, wide] = [gap * i + gap * 0.16, gap * 0.68]
    const spring = c.height * 0.42
    const d = `M ${left} ${c.height} L ${left} ${spring} Q ${left} ${spring - wide * 0.7} ${left + wide / 2} ${spring - wide * 0.95} Q ${left + wide} ${spring - wide * 0.7} ${left + wide} ${spring} L ${left + wide} ${c.height} Z`
    return path(d, through, { stroke: darker(color, 0.35), 'stroke-width': 5 })
  })
  return rect(0, 0, c.width, c.height, color) + openings
}

export const onCircle = (x: number, y: number, r: number, angle: number): Point => [
  x + r * Math.cos(angle),
  y + r * Math.sin(angle),
]

function somewhere(c: Canvas, from = 0, to = 1): Point {
  return [c.random.between(0, c.width), c.random.between(c.height * from, c.height * to)]
}

function overGround(c: Canvas, ridge: readonly Point[]): string {
  const [first, ...rest] = ridge
  if (first === undefined) throw new Error('a ridge needs points')
  let [x, y] = first
  let d = `M -2 ${c.height + 2} L -2 ${y} L ${x} ${y}`
  for (const [nextX, nextY] of rest) {
    const turn = (x + nextX) / 2
    d += ` C ${turn} ${y} ${turn} ${nextY} ${nextX} ${nextY}`
    ;[x, y] = [nextX, nextY]
  }
  return `${d} L ${c.width + 2} ${y} L ${c.width + 2} ${c.height + 2} Z`
}
