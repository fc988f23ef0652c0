import sharp from 'sharp'

/** A photo that costs the reader far more than its sender. */
export type PoisonPhoto = { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }

/** Remaining share of a truncated file: decoders only fail at its end. */
const CUT_SHARE = 0.98

/**
 * Generates poison photos: slow to decode, late to fail, or with large dimensions in a small file.
 *
 * @param withHuge adds photos of 63 megapixels, which take seconds to generate
 */
export async function generatePoisonPhotos(withHuge: boolean): Promise<PoisonPhoto[]> {
  const photos = [
    { name: 'cut JPEG', type: 'image/jpeg', bytes: cut(await progressiveJpeg(4_900, 4_900)) },
    { name: 'PNG of 900 megapixels', type: 'image/png', bytes: await pngOfSize(30_000, 30_000) },
  ]
  if (!withHuge) return photos
  const png = await draw(4_900, 4_900).png({ progressive: true, compressionLevel: 1 }).toBuffer()
  const webp = await draw(7_900, 8_000).webp({ lossless: true, effort: 0 }).toBuffer()
  return [
    ...photos,
    { name: 'cut PNG', type: 'image/png', bytes: cut(png) },
    { name: 'large cut JPEG', type: 'image/jpeg', bytes: cut(await progressiveJpeg(7_900, 8_000)) },
    { name: 'large WebP', type: 'image/webp', bytes: Uint8Array.from(webp) },
  ]
}

/** Draws an image of one color, which is a small file but slow to decode. */
function draw(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#556677' } })
}

function progressiveJpeg(width: number, height: number): Promise<Uint8Array> {
  return draw(width, height).jpeg({ progressive: true, quality: 60 }).toBuffer()
}

function cut(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes).slice(0, Math.floor(bytes.length * CUT_SHARE))
}

/** Creates a small PNG whose header claims other dimensions, with a correct checksum. */
async function pngOfSize(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const png = Buffer.from(await draw(64, 64).png().toBuffer())
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(Bun.hash.crc32(png.subarray(12, 29)), 29)
  return Uint8Array.from(png)
}
