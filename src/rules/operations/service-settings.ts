/**
 * Uses of a server: `private` for the operator's own accounts, without limits; `community` with free accounts;
 * `business` with plans for sale.
 */
export const SERVICE_MODES = ['private', 'community', 'business'] as const

export type ServiceMode = (typeof SERVICE_MODES)[number]

/** Choices of the operator that the ledger stores; undefined if not made yet. The environment takes precedence. */
export type StoredSettings = {
  mode?: ServiceMode
  /** Root of the mirror, with http: or https:; null for none. */
  mirror?: string | null
  indexPictures?: boolean
  /** True if the European Central Bank's reference rates are fetched. */
  exchangeRates?: boolean
  /** True if the sample is to be removed after the first sync that publishes. */
  removesSample?: boolean
  /** True once the operator has finished the setup. */
  isSetUp?: boolean
}

/** Stored settings as text, by name: the rows of the ledger. */
export type SettingTexts = Readonly<Record<string, string>>

/** Parses stored settings; a text unknown to this version counts as not stored. */
export function parseStoredSettings(texts: SettingTexts): StoredSettings {
  const { mode: modeText, mirror, pictures, rates, sample, setup } = texts
  const mode = SERVICE_MODES.find((known) => known === modeText)
  const indexPictures = pictures === undefined ? undefined : pictures === 'on'
  return {
    ...(mode !== undefined && { mode }),
    ...(mirror !== undefined && { mirror: mirror === '' ? null : mirror }),
    ...(indexPictures !== undefined && { indexPictures }),
    ...(rates !== undefined && { exchangeRates: rates === 'on' }),
    ...(sample === 'remove' && { removesSample: true }),
    ...(setup === 'finished' && { isSetUp: true }),
  }
}

/** Formats settings for the ledger. */
export function formatStoredSettings(settings: StoredSettings): Record<string, string> {
  const { mode, mirror, indexPictures, exchangeRates, removesSample, isSetUp } = settings
  return {
    ...(mode !== undefined && { mode }),
    ...(mirror !== undefined && { mirror: mirror ?? '' }),
    ...(indexPictures !== undefined && { pictures: indexPictures ? 'on' : 'off' }),
    ...(exchangeRates !== undefined && { rates: exchangeRates ? 'on' : 'off' }),
    ...(removesSample !== undefined && { sample: removesSample ? 'remove' : 'keep' }),
    ...(isSetUp === true && { setup: 'finished' }),
  }
}
