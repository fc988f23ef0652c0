/**
 * Uses of a server: `private` for the operator's own accounts, without limits; `community` with free accounts;
 * `business` with plans for sale.
 */
export const SERVICE_MODES = ['private', 'community', 'business'] as const

export type ServiceMode = (typeof SERVICE_MODES)[number]

/** Choices of the operator that the ledger stores. Undefined: not made yet. The environment wins over them. */
export type StoredSettings = {
  mode?: ServiceMode
  /** Root of the mirror, with http: or https:; null: none. */
  mirror?: string | null
  indexPictures?: boolean
  /** True if the reference rates of the European Central Bank are fetched. */
  exchangeRates?: boolean
  /** True if the sample is removed when the first sync has published. */
  removesSample?: boolean
  /** True once the operator has finished the setup. */
  isSetUp?: boolean
}

/** Stored settings as text, by name: the rows of the ledger. */
export type SettingTexts = Readonly<Record<string, string>>

/** Reads stored settings; a text that this version does not know counts as not stored. */
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
