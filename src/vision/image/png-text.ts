/** Length of the signature of a PNG. */
const SIGNATURE = 8

/** Chunks with text, which the decoder would decompress: some kilobytes to gigabytes. */
const TEXT_CHUNKS: ReadonlySet<string> = new Set(['zTXt', 'iTXt', 'tEXt'])

/** Returns a PNG without its text chunks (PNG specification, 11.3.3). The pixels do not depend on them. */
export function withoutText(png: Uint8Array): Uint8Array {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const kept: Uint8Array[] = []
  let keptFrom = 0
  let at = SIGNATURE
  // A chunk has a length, a name of four letters, its content and a checksum.
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (TEXT_CHUNKS.has(bytes.toString('latin1', at + 4, at + 8))) {
      kept.push(bytes.subarray(keptFrom, at))
      keptFrom = end
    }
    at = end
  }
  if (keptFrom === 0) return png
  kept.push(bytes.subarray(keptFrom))
  return Buffer.concat(kept)
}
