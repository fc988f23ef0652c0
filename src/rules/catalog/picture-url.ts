/** Makes a stored image URL absolute. */
export type PictureUrl = (stored: string | null) => string | null

/**
 * Creates the function that makes image URLs absolute. Those of a marketplace are absolute and
 * stay. Those of the bundled sample are relative (`pictures/900001.webp`) and served by this
 * process.
 *
 * @param publicUrl base URL of this service, without a trailing slash
 */
export function createPictureUrl(publicUrl: string): PictureUrl {
  return (stored) =>
    stored === null || /^[a-z][a-z0-9+.-]*:/i.test(stored) ? stored : `${publicUrl}/${stored}`
}

/** Returns the row with an absolute image URL. */
export function withPictureUrl<Row extends { image_url: string | null }>(
  row: Row,
  pictureUrl: PictureUrl,
): Row {
  return { ...row, image_url: pictureUrl(row.image_url) }
}
