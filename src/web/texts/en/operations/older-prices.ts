/** Texts of the import of older prices. */
import { pluralText } from '../../../format.ts'
import { type Markup, rich } from '../../rich-text.ts'

export const olderPrices = 'Older prices'
export const olderPricesLead = ({ code, link }: Record<'code' | 'link', Markup>) =>
  rich`Charts, changes and movers begin with the first prices that are known. Import those of earlier days from a .zip, .tar.gz or .tar.zst archive, or from a folder in ${code('import')} of the data folder. ${link('Layout and sources')}`
export const cancelImport = 'Cancel import'
export const resume = 'Resume'
export const tryAgain = 'Try again'
export const archiveOrFolder = 'Archive or folder'
export const importLabel = 'Import'
export const folder = (name: string) => `${name} (folder)`
export const sentOf = ({ sent, size }: Record<'sent' | 'size', string>) => `${sent} of ${size}`
export const uploaded = 'Uploaded'
export const uploadedKeepThisPageOpen = (text: string) => `${text} uploaded. Keep this page open.`
export const archive = 'Archive'
export const uploadArchive = 'Upload archive…'
export const waitsForTheSync = (name: string | null) => `${name} waits until the sync has ended.`
export const readingFiles = ({ name, filesRead }: { name: string | null; filesRead: number }) =>
  `Reading ${name}: ${pluralText(filesRead, { one: '# file', other: '# files' })}…`
export const ofDays = ({ daysStored, days }: { daysStored: string; days: number }) =>
  `${daysStored} of ${pluralText(days, { one: '# day', other: '# days' })}`
export const daysImported = 'Days imported'
export const readSoFar = ({ text, points }: { text: string; points: number }) =>
  `${text}, ${pluralText(points, { one: '# price', other: '# prices' })}. You can close this page.`
export const coverage = ({ days, prices }: Record<'days' | 'prices', number>) =>
  `${pluralText(days, { one: '# day', other: '# days' })}, ${pluralText(prices, { one: '# price', other: '# prices' })}`

/** The part that was read before the end. */
type Read = { coverage: string; days: number } | undefined

const readOf = ({ coverage, days }: NonNullable<Read>) =>
  `${coverage} of ${pluralText(days, { one: '# day', other: '# days' })}`

export const importFailed = (read: Read) =>
  read === undefined ? 'The import failed.' : `The import failed after ${readOf(read)}.`
export const importCanceled = (read: Read) =>
  read === undefined ? 'The import was canceled.' : `The import was canceled after ${readOf(read)}.`
export const importInterrupted = (read: Read) =>
  read === undefined
    ? 'The import was interrupted.'
    : `The import was interrupted after ${readOf(read)}.`
export const fromTo = ({ firstDay, lastDay }: Record<'firstDay' | 'lastDay', string>) =>
  `From ${firstDay} to ${lastDay}.`
export const archiveIsCutOff = (cutDay: string) =>
  `The archive is cut off in ${cutDay}. That day was left out.`
export const pricesSkipped = (unknownCards: number) =>
  `${pluralText(unknownCards, { one: '# price', other: '# prices' })} skipped, because the catalog does not have the card.`
export const recordsSkipped = (badRecords: number) =>
  `${pluralText(badRecords, { one: '# invalid record', other: '# invalid records' })} skipped.`
export const filesUnreadable = (failureCount: number) =>
  `${pluralText(failureCount, { one: '# file', other: '# files' })} could not be read:`
