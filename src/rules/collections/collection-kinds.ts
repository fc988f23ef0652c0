/** `owned`: cards of the account. `wish`: cards that it looks for, with target prices. */
export const COLLECTION_KINDS = ['owned', 'wish'] as const

export type CollectionKind = (typeof COLLECTION_KINDS)[number]

/** Orders of the items of a collection. Values are those of the last valuation; items without one come last. */
export const ITEM_SORTS = ['added_desc', 'added_asc', 'name', 'value_desc', 'value_asc'] as const

export type ItemSort = (typeof ITEM_SORTS)[number]
