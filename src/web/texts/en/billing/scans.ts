/** Texts of the page of scans: balance, packs and results by day. */
import { pluralText } from '../../../format.ts'

export const scans = 'Scans'
export const photosLead = 'Photos that you have identified.'
export const scansLead = 'Each photo uses one scan. Scans never expire.'
export const balance = 'Balance'
export const youHave25FreeScans = 'You have 25 free scans.'
export const identifyACard = 'Identify a card'
export const buyScans = 'Buy scans'
export const scanCount = (scans: number) => pluralText(scans, { one: '# scan', other: '# scans' })
export const perScan = (centsEach: string) => `${centsEach} per scan`
export const buy = 'Buy'
export const matched = 'Matched'
export const ambiguous = 'Ambiguous'
export const retake = 'Retake'
export const notFound = 'Not found'
export const unsupported = 'Unsupported'
export const dailyResultsWillAppearHere = 'Your daily results will appear here.'
export const photosByDay = 'Photos by day'
export const photoCount = (sum: number) => pluralText(sum, { one: '# photo', other: '# photos' })
export const showAsTable = 'Show as table'
export const day = 'Day'
export const refunded = 'Refunded'
export const freeTrial = 'Free trial'
export const purchase = 'Purchase'
export const addedByTheOperator = 'Added by the operator'
export const restoredAfterADispute = 'Restored after a dispute'
export const reason = 'Reason'
export const paid = 'Paid'
export const scansAdded = 'Scans added'
export const scanUnit = (number: number) => pluralText(number, { one: 'scan', other: 'scans' })
export const debt = (number: number) =>
  pluralText(number, {
    one: '# scan was used before its payment was refunded. It will be deducted from your next scans.',
    other:
      '# scans were used before their payment was refunded. They will be deducted from your next scans.',
  })
export const buyScansOf = (number: number) =>
  pluralText(number, { one: 'Buy # scan', other: 'Buy # scans' })
export const photosIn30Days = (number: number) =>
  pluralText(number, { one: '# photo in 30 days', other: '# photos in 30 days' })
