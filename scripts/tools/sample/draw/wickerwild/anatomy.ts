import { circle, ellipse, group, path, placed, type Svg } from '../svg'

/** The dark of eyes, noses and mouths. */
export const INK = '#21172b'

export const eye = (x: number, y: number, r: number, color = INK) =>
  ellipse(x, y, r * 0.86, r, color) +
  circle(x - r * 0.28, y - r * 0.36, r * 0.34, '#ffffff') +
  circle(x + r * 0.26, y + r * 0.36, r * 0.17, '#ffffff', { opacity: 0.8 })

export const mirrored = (half: Svg) => half + group({ transform: 'scale(-1 1)' }, half)

export const flame = (x: number, y: number, scale: number, colors: readonly [string, string]) =>
  placed(
    x,
    y,
    { scale },
    path('M 0 0 C -24 -4 -22 -34 -4 -60 C 0 -44 22 -34 20 -14 C 19 -4 10 1 0 0 Z', colors[0]),
    path('M 0 -2 C -12 -4 -11 -20 -2 -36 C 1 -26 11 -20 10 -10 C 9 -4 6 -2 0 -2 Z', colors[1]),
  )
