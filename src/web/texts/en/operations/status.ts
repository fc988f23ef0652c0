/** Texts of the status page. */
import { pluralText } from '../../../format.ts'

export const dataStatus = 'Data status'
export const pricesAreSyncedDaily = 'Prices are synced daily from the marketplace mirror.'
export const games = 'Games'
export const sets = 'Sets'
export const cards = 'Cards'
export const catalogVersion = 'Catalog version'
export const lastChange = 'Last change'
export const lastSync = 'Last sync'
export const noneYet = 'none yet'
export const cardsRefreshed = ({ cards, interval }: { cards: number; interval: string }) =>
  `${pluralText(cards, { one: '# card', other: '# cards' })}, refreshed ${interval}`
export const synced = (when: string) => `Synced ${when}`
export const syncedWithPrices = ({ when, published }: Record<'when' | 'published', string>) =>
  `Synced ${when}, prices from ${published}`
export const noDataYet = 'No data yet'
export const allGamesAreUpToDate = 'All games are up to date'
export const allGamesAreOutOfDate = 'All games are out of date'
export const ofGamesAreOutOfDate = ({
  staleCount,
  games,
}: Record<'staleCount' | 'games', number>) => `${staleCount} of ${games} games are out of date`
