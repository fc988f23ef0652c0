const MARKER = 0xff
const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

/** Number of scans of a JPEG, and whether it has an end marker (ITU-T T.81, annex B). */
type JpegMarkers = { scans: number; hasEnd: boolean }

/** Reads the markers of a JPEG up to its end, without those of a thumbnail in its metadata. */
export function readMarkers(jpeg: Uint8Array): JpegMarkers {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  let scans = 0
  let at = 2
  // A search by `indexOf` is slow where every other byte is 0xff.
  while (at + 1 < bytes.length) {
    const code = bytes[at] === MARKER ? bytes[at + 1] : undefined
    if (code === END_OF_IMAGE) return { scans, hasEnd: true }
    if (code === START_OF_SCAN) scans++
    at += code === undefined ? 1 : lengthOf(bytes, at, code)
  }
  return { scans, hasEnd: false }
}

/** Returns how far the next marker is at least from this one. */
function lengthOf(bytes: Buffer, at: number, code: number): number {
  // Any number of fill bytes may stand before a code.
  if (code === MARKER) return 1
  // A zero follows each 0xff of compressed data. A restart marker has no segment.
  const isAlone = code < 0x02 || (code >= 0xd0 && code <= 0xd8)
  return isAlone || at + 4 > bytes.length ? 2 : 2 + bytes.readUInt16BE(at + 2)
}

/**
 * Appends the end marker to a JPEG without one: some programs leave it out, and the decoder would take the photo for a
 * truncated one.
 *
 * @returns undefined if the photo has its end
 */
export function appendEnd(jpeg: Uint8Array): Uint8Array | undefined {
  if (jpeg.at(-1) === END_OF_IMAGE && jpeg.at(-2) === MARKER) return undefined
  return readMarkers(jpeg).hasEnd ? undefined : Buffer.concat([jpeg, END])
}

const END = Buffer.from([MARKER, END_OF_IMAGE])
