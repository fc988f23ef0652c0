import { openRandom, type Random } from '../random'
import { type Svg, tag } from './svg'

/** What a scene is drawn on: its size, its own chance, and the paints it has mixed. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly random: Random
  /** A gradient from the first colour to the last; the angle turns clockwise from downwards. */
  linear(colors: readonly string[], angle?: number): string
  /** A gradient from the middle outwards. */
  radial(colors: readonly string[], opacities?: readonly number[]): string
  /** The value for a `clip-path` attribute. */
  clip(shape: Svg): string
  /** The value for a `filter` attribute that blurs by so many pixels. */
  blur(pixels: number): string
  /** Another size and another seed; the paints land in the same picture. */
  part(width: number, height: number, seed: string): Canvas
  /** The whole picture, with every paint that was used in it. */
  finish(content: Svg): Svg
}

export function openCanvas(width: number, height: number, seed: string): Canvas {
  return onSheet([], width, height, seed)
}

function onSheet(paints: Svg[], width: number, height: number, seed: string): Canvas {
  function keep(name: string, attributes: Record<string, string | number>, ...children: Svg[]) {
    const id = `p${paints.length}`
    paints.push(tag(name, { id, ...attributes }, ...children))
    return `url(#${id})`
  }

  const stops = (colors: readonly string[], opacities: readonly number[] = []) =>
    colors.map((color, index) =>
      tag('stop', {
        offset: index / Math.max(1, colors.length - 1),
        'stop-color': color,
        'stop-opacity': opacities[index] ?? 1,
      }),
    )

  return {
    width,
    height,
    random: openRandom(seed),
    linear: (colors, angle = 0) =>
      keep(
        'linearGradient',
        { x1: 0, y1: 0, x2: 0, y2: 1, gradientTransform: `rotate(${angle} 0.5 0.5)` },
        ...stops(colors),
      ),
    radial: (colors, opacities) => keep('radialGradient', {}, ...stops(colors, opacities)),
    clip: (shape) => keep('clipPath', {}, shape),
    blur: (pixels) =>
      keep(
        'filter',
        { x: '-50%', y: '-50%', width: '200%', height: '200%' },
        tag('feGaussianBlur', { stdDeviation: pixels }),
      ),
    part: (partWidth, partHeight, partSeed) => onSheet(paints, partWidth, partHeight, partSeed),
    finish: (content) =>
      tag(
        'svg',
        { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
        tag('defs', {}, ...paints, ''),
        content,
      ),
  }
}
