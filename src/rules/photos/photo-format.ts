export type PhotoFormat = 'jpeg' | 'png' | 'webp'

/** What a photo is by its first bytes, whatever it is labelled; undefined: none that is read. */
export function detectPhotoFormat(bytes: Uint8Array): PhotoFormat | undefined {
  const begins = (text: string, at = 0) =>
    bytes.length >= at + text.length &&
    [...text].every((sign, index) => bytes[at + index] === sign.charCodeAt(0))
  if (begins('\xff\xd8\xff')) return 'jpeg'
  if (begins('\x89PNG\r\n\x1a\n')) return 'png'
  if (begins('RIFF') && begins('WEBP', 8)) return 'webp'
  return undefined
}
