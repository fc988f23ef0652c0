/** Share of the pixels that become black, and of those that become white. */
const CLIPPED = 0.01

/** Corrects the exposure of an RGB picture: each channel is scaled to the whole range of values. */
export function stretchContrast(pixels: Uint8Array): Uint8Array {
  const stretched = new Uint8Array(pixels.length)
  for (let channel = 0; channel < 3; channel++) {
    const { low, high } = rangeOf(pixels, channel)
    const scale = 255 / Math.max(1, high - low)
    for (let at = channel; at < pixels.length; at += 3) {
      stretched[at] = Math.max(0, Math.min(255, ((pixels[at] ?? 0) - low) * scale + 0.5))
    }
  }
  return stretched
}

/** Returns the values of a channel between which all but a few pixels lie. */
function rangeOf(pixels: Uint8Array, channel: number): { low: number; high: number } {
  const counts = new Uint32Array(256)
  for (let at = channel; at < pixels.length; at += 3) {
    const value = pixels[at] ?? 0
    counts[value] = (counts[value] ?? 0) + 1
  }
  const few = (pixels.length / 3) * CLIPPED
  const passed = (values: Iterable<number>) => {
    let count = 0
    for (const value of values) {
      count += counts[value] ?? 0
      if (count > few) return value
    }
    return 0
  }
  const values = [...counts.keys()]
  return { low: passed(values), high: passed(values.toReversed()) }
}
