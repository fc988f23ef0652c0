import type { Canvas } from '../canvas'
import * as scenery from '../scenery'
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
import { flame } from './anatomy'

/* What stands about in the scenes of Wickerwild. */

export const steam = (x: number, y: number) =>
  stroke(
    `M ${x} ${y + 70} q -16 -18 0 -36 q 16 -18 0 -36 M ${x + 20} ${y + 74} q -14 -16 0 -32 q 14 -16 0 -32`,
    '#ffffff',
    6,
    { opacity: 0.6 },
  )

export const teacup = (color: string) =>
  ellipse(0, -2, 46, 9, darker(color, 0.25)) +
  stroke('M 30 -34 q 26 2 8 22 q -6 5 -14 4', darker(color, 0.12), 6) +
  path('M -34 -42 L 34 -42 C 34 -12 20 -4 0 -4 C -20 -4 -34 -12 -34 -42 Z', color) +
  ellipse(0, -42, 34, 8, lighter(color, 0.3)) +
  ellipse(0, -41, 28, 5.5, '#7a4526')

export function candles(c: Canvas, count: number, wax: string): Svg {
  return repeat(count, (i) => {
    const x = (c.width * (i + 0.5)) / count
    const tall = c.height * c.random.between(0.16, 0.42)
    return (
      rect(x - 14, c.height - tall, 28, tall + 4, wax, { rx: 4 }) +
      rect(x - 14, c.height - tall, 10, tall + 4, lighter(wax, 0.5), { rx: 4 }) +
      circle(x, c.height - tall - 18, 34, '#ffdf8a', { opacity: 0.22 }) +
      flame(x, c.height - tall, 0.55, ['#ffb347', '#fff6c4'])
    )
  })
}

export function sluiceGate(c: Canvas): Svg {
  const bars = repeat(9, (i) =>
    rect(c.width * 0.05 + i * c.width * 0.11, 0, 12, c.height, '#0b3138'),
  )
  return (
    bars +
    rect(0, c.height * 0.12, c.width, 16, '#0b3138') +
    rect(0, c.height * 0.86, c.width, 60, '#08262c')
  )
}

export function door(c: Canvas): Svg {
  const [x, wide] = [c.width * 0.62, c.width * 0.27]
  return (
    rect(x - 10, c.height * 0.06, wide + 20, c.height, '#5d6f8a') +
    rect(x, c.height * 0.1, wide, c.height, '#37506e') +
    polygon(
      [
        [x, c.height * 0.1],
        [x + wide * 0.55, c.height * 0.16],
        [x + wide * 0.55, c.height * 0.97],
        [x, c.height],
      ],
      '#8a4a35',
    ) +
    circle(x + wide * 0.46, c.height * 0.58, 5, '#f0cc6b') +
    rect(0, c.height * 0.93, c.width, 30, '#6b7f9c')
  )
}

export function leaves(c: Canvas, count: number, colors: readonly string[]): Svg {
  return repeat(count, () => {
    const where = { turn: c.random.between(0, 360), scale: c.random.between(0.6, 1.3) }
    const leaf = path('M 0 -12 C 12 -6 12 6 0 12 C -12 6 -12 -6 0 -12 Z', c.random.pick(colors))
    return placed(c.random.between(0, c.width), c.random.between(0, c.height), where, leaf)
  })
}

export const bolt = (x: number, y: number) =>
  polygon(
    [
      [x, y],
      [x + 34, y],
      [x + 16, y + 46],
      [x + 40, y + 46],
      [x - 12, y + 130],
      [x + 4, y + 66],
      [x - 18, y + 66],
    ],
    '#ffe27a',
  )

export function brickWall(light: string, dark: string): Svg {
  return repeat(9, (row) =>
    repeat(9, (column) => {
      const [x, y] = [column * 62 - (row % 2) * 31, row * 30]
      return rect(x, y, 58, 26, (row * 5 + column * 3) % 4 === 0 ? dark : light, { rx: 5 })
    }),
  )
}

export function fence(c: Canvas, down: number, color: string): Svg {
  const y = c.height * down
  const posts = repeat(12, (i) => {
    const x = (i * c.width) / 12 + 8
    return path(
      `M ${x} ${y + 70} L ${x} ${y - 18} L ${x + 9} ${y - 32} L ${x + 18} ${y - 18} L ${x + 18} ${y + 70} Z`,
      color,
    )
  })
  return rect(0, y, c.width, 8, darker(color, 0.15)) + posts
}

export function moonJar(c: Canvas): Svg {
  const [x, y] = [c.width / 2, c.height * 0.46]
  const r = c.height * 0.4
  return (
    rect(x - r * 1.15, y - r * 0.95, r * 2.3, r * 2.3, '#b9a6e8', {
      rx: 46,
      'fill-opacity': 0.22,
      stroke: '#d9ccff',
      'stroke-width': 4,
    }) +
    scenery.moon(x, y + r * 0.18, r * 0.86, '#f7eebc') +
    rect(x - r * 0.8, y - r * 1.16, r * 1.6, 20, '#c98f4a', { rx: 6 })
  )
}

export function cafeWindow(c: Canvas): Svg {
  const panes = repeat(2, (row) =>
    repeat(4, (column) =>
      rect(
        c.width * (0.06 + column * 0.225),
        c.height * (0.1 + row * 0.34),
        c.width * 0.2,
        c.height * 0.3,
        row === 0 ? '#ffe2a0' : '#ffcf80',
        { rx: 4 },
      ),
    ),
  )
  const awning = repeat(8, (i) => {
    const x = (i * c.width) / 8
    return path(
      `M ${x} 0 h ${c.width / 8} v ${c.height * 0.1} a ${c.width / 16} ${c.width / 16} 0 0 1 ${-c.width / 8} 0 Z`,
      i % 2 === 0 ? '#2f6f62' : '#f6eedb',
    )
  })
  return panes + awning
}

export const lamppost = (light: string) =>
  circle(0, -196, 92, light, { opacity: 0.12 }) +
  circle(0, -196, 54, light, { opacity: 0.24 }) +
  rect(-4, -176, 8, 176, '#171528') +
  rect(-14, -8, 28, 10, '#171528', { rx: 3 }) +
  stroke('M -22 -160 L 22 -160', '#171528', 5) +
  polygon('-14,-176 14,-176 20,-214 -20,-214', lighter(light, 0.4)) +
  polygon('-24,-214 24,-214 0,-236', '#171528')

export const lamplighter = () =>
  stroke('M 40 -10 L 74 -190', '#6b4a30', 5) +
  flame(74, -186, 0.4, ['#ffb347', '#fff6c4']) +
  path('M -30 0 C -38 -60 -26 -104 2 -106 C 32 -104 44 -60 38 0 Z', '#8a3545') +
  path('M -30 0 L -6 -100 L 0 0 Z', '#6d2738') +
  circle(2, -120, 22, '#e8b98f') +
  path('M -34 -126 L 40 -126 L 26 -136 L 22 -172 L -16 -172 L -20 -136 Z', '#1d1a2f') +
  stroke('M 18 -78 L 52 -70', '#8a3545', 14)

export function curtains(c: Canvas, color: string): Svg {
  const half = (mirror: boolean) => {
    const folds = repeat(4, (i) =>
      path(
        `M ${i * 26} -2 L ${i * 26 + 30} -2 Q ${i * 20 + 24} ${c.height * 0.6} ${i * 9 + 16} ${c.height} L ${i * 9} ${c.height} Q ${i * 20} ${c.height * 0.6} ${i * 26} -2 Z`,
        i % 2 === 0 ? color : darker(color, 0.25),
      ),
    )
    return placed(mirror ? c.width : 0, 0, { flip: mirror }, folds)
  }
  const swags = repeat(5, (i) => {
    const wide = c.width / 5
    return path(
      `M ${i * wide} -2 L ${(i + 1) * wide} -2 Q ${(i + 0.5) * wide} ${c.height * 0.34} ${i * wide} -2 Z`,
      lighter(color, 0.12),
    )
  })
  return half(false) + half(true) + swags
}

export function fireworks(c: Canvas): Svg {
  const burst = (x: number, y: number, r: number, color: string) =>
    repeat(14, (i) => {
      const angle = (i * 2 * Math.PI) / 14
      const [nearX, nearY] = scenery.onCircle(x, y, r * 0.35, angle)
      const [farX, farY] = scenery.onCircle(x, y, r, angle)
      return (
        stroke(`M ${nearX} ${nearY} L ${farX} ${farY}`, color, 4) +
        circle(farX, farY, 4.5, lighter(color, 0.5))
      )
    })
  return (
    burst(c.width * 0.18, c.height * 0.28, 60, '#ffd24f') +
    burst(c.width * 0.82, c.height * 0.24, 74, '#5fe0d0') +
    burst(c.width * 0.9, c.height * 0.66, 40, '#ff7a5c') +
    burst(c.width * 0.1, c.height * 0.72, 36, '#b98aff')
  )
}

export function lighthouseStripe(c: Canvas): Svg {
  const x = c.width * 0.82
  const body = polygon(
    [
      [x - 22, c.height * 0.8],
      [x - 14, c.height * 0.16],
      [x + 14, c.height * 0.16],
      [x + 22, c.height * 0.8],
    ],
    '#fdfaf3',
  )
  const red = repeat(3, (i) =>
    rect(x - 19 + i * -1, c.height * (0.24 + i * 0.18), 38 + i * 2, c.height * 0.08, '#d9433f'),
  )
  return (
    body +
    red +
    rect(x - 12, c.height * 0.08, 24, c.height * 0.09, '#ffe48a') +
    polygon(
      [
        [x - 17, c.height * 0.08],
        [x, c.height * 0.01],
        [x + 17, c.height * 0.08],
      ],
      '#d9433f',
    )
  )
}

export function kelp(c: Canvas, color: string, count: number): Svg {
  return repeat(count, (i) => {
    const x = (c.width * (i + c.random.between(0.2, 0.8))) / count
    const blades = repeat(7, (leaf) => {
      const y = c.height * (0.95 - leaf * 0.14)
      const side = leaf % 2 === 0 ? 1 : -1
      return path(
        `M ${x} ${y} q ${side * 34} -8 ${side * 40} -40 q ${side * -30} 6 ${side * -40} 40 Z`,
        color,
      )
    })
    return (
      stroke(
        `M ${x} ${c.height} Q ${x + 16} ${c.height * 0.6} ${x} ${c.height * 0.02}`,
        darker(color, 0.2),
        6,
      ) + blades
    )
  })
}

export const parasolTop = (x: number, y: number) =>
  rect(x - 2, y - 60, 4, 90, '#8a5a34') +
  path(`M ${x - 56} ${y - 44} Q ${x} ${y - 116} ${x + 56} ${y - 44} Z`, '#f2553d') +
  path(`M ${x - 20} ${y - 44} Q ${x} ${y - 116} ${x + 20} ${y - 44} Z`, '#fff4dc')

export function notes(c: Canvas): Svg {
  const note = (x: number, y: number, turn: number) =>
    placed(
      x,
      y,
      { turn },
      ellipse(0, 0, 10, 7, '#fff1c4') + stroke('M 9 -2 L 9 -38 q 14 4 12 18', '#fff1c4', 4),
    )
  return (
    note(c.width * 0.12, c.height * 0.4, -12) +
    note(c.width * 0.86, c.height * 0.34, 14) +
    note(c.width * 0.24, c.height * 0.2, 8) +
    note(c.width * 0.74, c.height * 0.16, -6)
  )
}

export function bunting(c: Canvas): Svg {
  const colors = ['#f2553d', '#f7c32f', '#4fb0c9', '#ffffff']
  return repeat(2, (row) => {
    const top = c.height * (0.03 + row * 0.05)
    const dip = c.height * 0.1
    const sag = (share: number) => top + dip * 4 * share * (1 - share)
    const flags = repeat(12, (i) => {
      const x = (c.width * (i + 0.5)) / 12
      const y = sag((i + 0.5) / 12)
      return polygon(
        [
          [x - 11, y],
          [x + 11, y],
          [x, y + 24],
        ],
        colors[(i + row) % 4] ?? '#ffffff',
      )
    })
    return (
      stroke(`M 0 ${top} Q ${c.width / 2} ${top + dip * 2} ${c.width} ${top}`, '#fff7e0', 2) + flags
    )
  })
}

export const stall = (color: string, pale: string) => {
  const awning = repeat(6, (i) =>
    path(`M ${-66 + i * 22} -120 h 22 v 26 a 11 11 0 0 1 -22 0 Z`, i % 2 === 0 ? color : pale),
  )
  const goods = repeat(7, (i) =>
    ellipse(-50 + i * 17, -42, 10, 7, ['#7ab8c9', '#f0a08a', '#e8d27a'][i % 3] ?? '#7ab8c9'),
  )
  return (
    rect(-62, -110, 6, 110, '#6e4a30') +
    rect(56, -110, 6, 110, '#6e4a30') +
    rect(-58, -100, 116, 60, '#5a3d4a', { opacity: 0.5 }) +
    rect(-68, -38, 136, 38, '#a8703f') +
    repeat(4, (i) => rect(-68 + i * 36, -38, 3, 38, '#7f5230')) +
    goods +
    awning
  )
}

export const marshalHat = () =>
  path('M -58 -124 L 34 -124 L 22 -182 L -46 -182 Z', '#2b4a9c') +
  rect(-62, -134, 100, 14, '#ffd94f', { rx: 5 }) +
  polygon(starPoints(-12, -156, 15, 7, 5), '#ffd94f') +
  path('M -12 -182 C -20 -226 20 -232 28 -212 C 10 -208 0 -198 -4 -182 Z', '#ffffff')
