/** Makes a stored picture address absolute. */
export type PictureUrl = (stored: string | null) => string | null

/**
 * Pictures of a marketplace have absolute addresses and stay as they are. The bundled sample's are
 * relative (`pictures/900001.webp`) and are served by this process, wherever it can be reached.
 *
 * @param publicUrl the address that clients reach this service by, without a slash at its end
 */
export function createPictureUrl(publicUrl: string): PictureUrl {
  return (stored) =>
    stored === null || /^[a-z][a-z0-9+.-]*:/i.test(stored) ? stored : `${publicUrl}/${stored}`
}

/** The same row with its picture's address as clients are told it. */
export function withPictureUrl<Row extends { image_url: string | null }>(
  row: Row,
  pictureUrl: PictureUrl,
): Row {
  return { ...row, image_url: pictureUrl(row.image_url) }
}
