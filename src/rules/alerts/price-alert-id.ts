const PREFIX = 'al_'

/** Formats the id of a price alert of a person. Rules of webhooks have other ids. */
export function priceAlertId(uuid: string): string {
  return PREFIX + uuid.replaceAll('-', '')
}

/** Returns true for the id of a price alert of a person. */
export function isPriceAlertId(id: string): boolean {
  return id.startsWith(PREFIX)
}
