import { type ImagePyramid, type Quad, rectify } from './rectify.ts'

/** Luma, one byte per pixel, row by row. */
export type GrayImage = { width: number; height: number; data: Uint8Array }

/** Converts RGB pixels to luma (Rec. 601). */
export function toGray(pixels: Uint8Array): Float32Array {
  const gray = new Float32Array(pixels.length / 3)
  for (let i = 0; i < gray.length; i++) gray[i] = lumaOf(pixels, 3 * i)
  return gray
}

/** `as number`: three bytes per pixel, see `warp`. */
function lumaOf(pixels: Uint8Array, at: number): number {
  return (
    0.299 * (pixels[at] as number) +
    0.587 * (pixels[at + 1] as number) +
    0.114 * (pixels[at + 2] as number)
  )
}

/** Returns the quad as an upright gray picture. */
export function rectifyGray(
  pyramid: ImagePyramid,
  quad: Quad,
  width: number,
  height: number,
): GrayImage {
  const pixels = rectify(pyramid, quad, { width, height, margin: 0 })
  const data = new Uint8Array(width * height)
  // Typed arrays truncate.
  for (let i = 0; i < data.length; i++) data[i] = lumaOf(pixels, 3 * i) + 0.5
  return { width, height, data }
}
