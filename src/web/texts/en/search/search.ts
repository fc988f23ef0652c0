/** Texts of the search page: field, filters, results and tips. */
import type { ReactNode } from 'react'
import { pluralText } from '../../../format.ts'
import { rich } from '../../rich-text.ts'

export const game = 'Game'
export const allGames = 'All games'
export const type = 'Type'
export const rarity = 'Rarity'
export const anyRarity = 'Any rarity'
export const printing = 'Printing'
export const basePrinting = 'Base printing'
export const set = 'Set'
export const chooseAGameFirst = 'Choose a game first'
export const anySet = 'Any set'
export const loadingSets = 'Loading sets…'
export const relevance = 'Relevance'
export const priceLowestFirst = 'Price, lowest first'
export const priceHighestFirst = 'Price, highest first'
export const name = 'Name'
export const changeIn7DaysRisingFirst = 'Change in 7 days, rising first'
export const changeIn7DaysFallingFirst = 'Change in 7 days, falling first'
export const releaseNewestFirst = 'Release, newest first'
export const all = 'All'
export const cards = 'Cards'
export const sealed = 'Sealed'
export const theSearch = 'The search'
export const price = 'Price'
export const search = 'Search'
export const filters = 'Filters'
export const filtersOf = (number: string) => `Filters (${number})`
export const showResults = 'Show results'
export const priceIn = (currency: string) => `Price in ${currency}`
export const from = 'From'
export const enterAtMost = (to: string) => `Enter at most ${to}.`
export const to = 'To'
export const enterAtLeast = (from: string) => `Enter at least ${from}.`
export const enterAPrice = 'Enter a price such as 12 or 12.50.'
export const any = 'Any'
export const searchResults = 'Search results'
export const view = 'View'
export const noResultsShowing = ({ q, correctedQuery }: { q: string; correctedQuery: ReactNode }) =>
  rich`No results for “${q}”. Showing ${correctedQuery}.`
export const setsAndGames = 'Sets and games'
export const fixTheHighlightedField = 'Fix the highlighted field to search.'
export const sortBy = 'Sort by'
export const noResultsFor = (q: string) => `No results for “${q}”`
export const checkTheSpelling = 'Check the spelling, or try fewer words.'
export const removeAFilter = 'Remove a filter.'
export const tryFewerLetters = 'Try just the first few letters.'
export const tryTheCollectorNumber = 'Try the collector number, with the name or the set code.'
export const cardCount = (number: number) => pluralText(number, { one: '# card', other: '# cards' })
export const sealedProductCount = (number: number) =>
  pluralText(number, { one: '# sealed product', other: '# sealed products' })
export const typeAtLeastTwoLetters = 'Type at least two letters'
export const wordsInAnyOrder =
  'Words of the name, the set, the rarity or the printing, in any order. The last word can be incomplete.'
export const collectorNumber = (code: ReactNode) =>
  rich`A collector number, such as ${code}, also with a name or a set code.`
export const accentsAreIgnored = 'Accents, apostrophes and hyphens are ignored.'
export const orBrowseAGame = 'Or browse a game'
export const setOfId = (id: string) => `Set ${id}`
export const priceFrom = (number: string) => `From ${number}`
export const priceUpTo = (number: string) => `Up to ${number}`
export const activeFilters = 'Active filters'
export const removeFilter = 'Remove filter:'
export const clearAllFilters = 'Clear all filters'
export const searchCards = 'Search cards'
export const searchCardsSetsNumbers = 'Search cards, sets, numbers'
export const rows = 'Rows'
export const tiles = 'Tiles'
export const results = 'Results'
