/** Apps whose files work unchanged, as in the guide (docs/guides/matching/collection-files.md). */
export const FILE_APPS = [
  'TCGplayer',
  'Moxfield',
  'ManaBox',
  'Archidekt',
  'Deckbox',
  'Dragon Shield',
  'Sorted',
  'Delver Lens',
  'Helvault',
  'MTGGoldfish',
  'Urza’s Gatherer',
  'TopDecked',
  'Card Kingdom',
  'Cardmarket',
  'Collectr',
  'TCG Collector',
  'Dreamborn',
] as const

/** Apps whose lists work unchanged. */
export const LIST_APPS = [
  'MTG Arena',
  'MTGO',
  'Cockatrice',
  'Deckstats',
  'TappedOut',
  'Forge',
  'Pokémon TCG Live',
  'Limitless',
  'Untap',
  'Tabletop Simulator',
  'Fabrary',
] as const
