/** Texts of the suggestions below a search field. */

export const cardsSetsAndGames = 'Cards, sets and games'
export const noMatchingCards = 'No matching cards.'
export const didYouMean = (correctedQuery: string) => `Did you mean “${correctedQuery}”?`
export const searchWithFilters = 'Search with filters'
export const seeTheResult = 'See the result'
export const seeAllResults = (total: string) => `See all ${total} results`
