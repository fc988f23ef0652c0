/** First and last byte of a part, both inclusive. */
export type ByteRange = { first: number; last: number }

/**
 * Parses a `Range` header (RFC 9110, 14.1.2 and 14.2). Returns `whole` for a header to be ignored: malformed, in
 * another unit, or with several ranges.
 *
 * @param size size of the whole in bytes
 */
export function parseByteRange(header: string | null, size: number): ByteRange | 'whole' | 'none' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    // A suffix range: the last bytes.
    const length = Math.min(Number(to), size)
    return length === 0 ? 'none' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return 'whole'
  if (first >= size) return 'none'
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
