/** A small picture in shades of grey, row by row, 0 to 255. */
export type GreyFrame = { width: number; height: number; grey: Uint8Array }

/** Converts pixels of a canvas: red, green, blue and opacity. */
export function greyOf(rgba: ArrayLike<number>, width: number, height: number): GreyFrame {
  const grey = new Uint8Array(width * height)
  for (let at = 0; at < grey.length; at++) {
    const [red = 0, green = 0, blue = 0] = [rgba[4 * at], rgba[4 * at + 1], rgba[4 * at + 2]]
    grey[at] = (299 * red + 587 * green + 114 * blue) / 1000
  }
  return { width, height, grey }
}

/** Returns how much two frames of one size differ on average, in shades. A change of the exposure does not count. */
export function frameDifference(one: GreyFrame, other: GreyFrame): number {
  const shift = mean(one.grey) - mean(other.grey)
  let sum = 0
  for (let at = 0; at < one.grey.length; at++) {
    sum += Math.abs((one.grey[at] ?? 0) - (other.grey[at] ?? 0) - shift)
  }
  return sum / one.grey.length
}

/**
 * Returns the sharpness of a frame: brightness steps between neighbors as a share of those between pixels that are
 * four apart. Blur brings it near a quarter, whatever the contrast.
 *
 * @returns 1 for a frame without anything to see
 */
export function frameSharpness({ width, grey }: GreyFrame): number {
  let [near, far] = [0, 0]
  for (let at = 0; at < grey.length; at++) {
    if (at % width >= width - 4) continue
    near += Math.abs((grey[at] ?? 0) - (grey[at + 1] ?? 0))
    far += Math.abs((grey[at] ?? 0) - (grey[at + 4] ?? 0))
  }
  return far < grey.length ? 1 : near / far
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += values[at] ?? 0
  return sum / values.length
}
