/** A small picture in shades of gray, row by row, 0 to 255. */
export type GrayFrame = { width: number; height: number; gray: Uint8Array }

/** Converts pixels of a canvas: red, green, blue and opacity. */
export function grayOf(rgba: ArrayLike<number>, width: number, height: number): GrayFrame {
  const gray = new Uint8Array(width * height)
  for (let at = 0; at < gray.length; at++) {
    const [red = 0, green = 0, blue = 0] = [rgba[4 * at], rgba[4 * at + 1], rgba[4 * at + 2]]
    gray[at] = (299 * red + 587 * green + 114 * blue) / 1000
  }
  return { width, height, gray }
}

/** Returns how much two frames of one size differ on average, in shades. A change of the exposure does not count. */
export function frameDifference(one: GrayFrame, other: GrayFrame): number {
  const shift = mean(one.gray) - mean(other.gray)
  let sum = 0
  for (let at = 0; at < one.gray.length; at++) {
    sum += Math.abs((one.gray[at] ?? 0) - (other.gray[at] ?? 0) - shift)
  }
  return sum / one.gray.length
}

/**
 * Returns the sharpness of a frame: brightness steps between neighbors as a share of those between pixels that are
 * four apart. Blur brings it near a quarter, regardless of the contrast.
 *
 * @returns 1 for an empty frame
 */
export function frameSharpness({ width, gray }: GrayFrame): number {
  let [near, far] = [0, 0]
  for (let at = 0; at < gray.length; at++) {
    if (at % width >= width - 4) continue
    near += Math.abs((gray[at] ?? 0) - (gray[at + 1] ?? 0))
    far += Math.abs((gray[at] ?? 0) - (gray[at + 4] ?? 0))
  }
  return far < gray.length ? 1 : near / far
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += values[at] ?? 0
  return sum / values.length
}
