/** The few SVG elements that the sample's pictures are drawn with, as plain strings. */
export type Svg = string
export type Attributes = Readonly<Record<string, string | number>>
export type Point = readonly [x: number, y: number]

export function tag(name: string, attributes: Attributes, ...children: Svg[]): Svg {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(show(value))}"`)
    .join('')
  return children.length === 0
    ? `<${name}${written}/>`
    : `<${name}${written}>${children.join('')}</${name}>`
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

export const circle = (x: number, y: number, r: number, fill: string, more: Attributes = {}) =>
  tag('circle', { cx: x, cy: y, r, fill, ...more })

export const ellipse = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  fill: string,
  more: Attributes = {},
) => tag('ellipse', { cx: x, cy: y, rx, ry, fill, ...more })

export const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  more: Attributes = {},
) => tag('rect', { x, y, width, height, fill, ...more })

/** Corners as SVG writes them, `'0,0 10,0 5,8'`, or as points that were worked out. */
export const polygon = (corners: string | readonly Point[], fill: string, more: Attributes = {}) =>
  tag('polygon', { points: typeof corners === 'string' ? corners : list(corners), fill, ...more })

export const path = (d: string, fill: string, more: Attributes = {}) =>
  tag('path', { d, fill, ...more })

/** A stroke without a fill, round at its ends. */
export const stroke = (d: string, color: string, width: number, more: Attributes = {}) =>
  tag('path', {
    d,
    fill: 'none',
    stroke: color,
    'stroke-width': width,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    ...more,
  })

export const group = (attributes: Attributes, ...children: Svg[]) =>
  tag('g', attributes, ...children, '')

/** Moves, then scales, then turns what it is given. */
export const placed = (
  x: number,
  y: number,
  { scale = 1, flip = false, turn = 0 }: { scale?: number; flip?: boolean; turn?: number },
  ...children: Svg[]
) =>
  group(
    {
      transform: `translate(${show(x)} ${show(y)}) scale(${show(flip ? -scale : scale)} ${show(scale)}) rotate(${show(turn)})`,
    },
    ...children,
  )

export const repeat = (times: number, draw: (index: number) => Svg): Svg =>
  Array.from({ length: times }, (_, index) => draw(index)).join('')

/** The corner points of a star: outer and inner radius in turn. */
export function starPoints(x: number, y: number, outer: number, inner: number, tips: number) {
  return Array.from({ length: tips * 2 }, (_, index): Point => {
    const radius = index % 2 === 0 ? outer : inner
    const angle = (index * Math.PI) / tips - Math.PI / 2
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })
}

/** `mix('#000000', '#ffffff', 0.25)` is a dark grey. */
export function mix(from: string, to: string, share: number): string {
  const channel = (color: string, index: number) =>
    Number.parseInt(color.slice(1 + index * 2, 3 + index * 2), 16)
  return `#${[0, 1, 2]
    .map((index) => {
      const value = channel(from, index) * (1 - share) + channel(to, index) * share
      return Math.round(value).toString(16).padStart(2, '0')
    })
    .join('')}`
}

export const lighter = (color: string, share: number) => mix(color, '#ffffff', share)
export const darker = (color: string, share: number) => mix(color, '#0b0714', share)

const list = (points: readonly Point[]) => points.map(([x, y]) => `${show(x)},${show(y)}`).join(' ')

function show(value: string | number): string {
  return typeof value === 'string' ? value : String(Math.round(value * 100) / 100)
}
