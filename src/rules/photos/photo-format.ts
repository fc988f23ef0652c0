export type PhotoFormat = 'jpeg' | 'png' | 'webp'

/** Returns the format by the first bytes, ignoring any declared type; undefined if unsupported. */
export function detectPhotoFormat(bytes: Uint8Array): PhotoFormat | undefined {
  const begins = (text: string, offset = 0) =>
    bytes.length >= offset + text.length &&
    [...text].every((sign, index) => bytes[offset + index] === sign.charCodeAt(0))
  if (begins('\xff\xd8\xff')) return 'jpeg'
  if (begins('\x89PNG\r\n\x1a\n')) return 'png'
  if (begins('RIFF') && begins('WEBP', 8)) return 'webp'
  return undefined
}
