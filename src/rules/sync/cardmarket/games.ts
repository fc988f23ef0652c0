/** Game of Cardmarket, and the games of the marketplace whose cards it lists. */
export type CardmarketGame = { id: number; categories: readonly number[] }

/**
 * Pokémon's files have the Japanese expansions, too, which the marketplace lists as a game of its own.
 *
 * The ids of Cardmarket are those that its files are named by. Of the marketplace's categories, 1, 2, 3, 62, 68, 71 and 85
 * were compared with its own lists; 16, 17, 20, 24, 26, 27, 63, 72, 79 and 89 were not. A wrong one matches no product,
 * because the names of cards differ.
 */
export const CARDMARKET_GAMES: readonly CardmarketGame[] = [
  { id: 1, categories: [1] }, // Magic
  { id: 3, categories: [2] }, // YuGiOh
  { id: 6, categories: [3, 85] }, // Pokémon
  { id: 7, categories: [17] }, // Force of Will
  { id: 8, categories: [16] }, // Vanguard
  { id: 9, categories: [24] }, // Final Fantasy
  { id: 10, categories: [20] }, // Weiß Schwarz
  { id: 13, categories: [27] }, // Dragon Ball Super
  { id: 15, categories: [26] }, // Star Wars Destiny
  { id: 16, categories: [62] }, // Flesh and Blood
  { id: 17, categories: [63] }, // Digimon
  { id: 18, categories: [68] }, // (One Piece)
  { id: 19, categories: [71] }, // Lorcana
  { id: 20, categories: [72] }, // Battle Spirits Saga
  { id: 21, categories: [79] }, // Star Wars Unlimited
  { id: 22, categories: [89] }, // Riftbound
]

/** Name of the source in the catalog, and currency of its prices. */
export const CARDMARKET = { source: 'cardmarket', currency: 'EUR' } as const
