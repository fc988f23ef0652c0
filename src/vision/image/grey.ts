import { type ImagePyramid, type Quad, rectify } from './rectify.ts'

/** Luma, one byte per pixel, row by row. */
export type GreyImage = { width: number; height: number; data: Uint8Array }

/** Converts RGB pixels to luma (Rec. 601). */
export function toGrey(pixels: Uint8Array): Float32Array {
  const grey = new Float32Array(pixels.length / 3)
  for (let i = 0, offset = 0; i < grey.length; i++, offset += 3) {
    // `as number`: three bytes per pixel, see `warp`.
    grey[i] =
      0.299 * (pixels[offset] as number) +
      0.587 * (pixels[offset + 1] as number) +
      0.114 * (pixels[offset + 2] as number)
  }
  return grey
}

/** Returns the quad as an upright grey picture. */
export function rectifyGrey(
  pyramid: ImagePyramid,
  quad: Quad,
  width: number,
  height: number,
): GreyImage {
  const grey = toGrey(rectify(pyramid, quad, { width, height, margin: 0 }))
  // Clamped arrays round; other typed arrays truncate.
  return { width, height, data: new Uint8Array(new Uint8ClampedArray(grey).buffer) }
}
