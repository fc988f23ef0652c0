/** `owned`: cards that the account has. `wish`: cards that it is looking for, with target prices. */
export const COLLECTION_KINDS = ['owned', 'wish'] as const

export type CollectionKind = (typeof COLLECTION_KINDS)[number]

/** Kinds of lists of cards. `scan`: a scan session, whose items come from photos and have readings. */
export const LIST_KINDS = [...COLLECTION_KINDS, 'scan'] as const

export type ListKind = (typeof LIST_KINDS)[number]

/** Returns true if a list is of one of the kinds. */
export function isOfKind<List extends { kind: ListKind }, Kind extends ListKind>(
  list: List,
  kinds: readonly Kind[],
): list is List & { kind: Kind } {
  return kinds.some((kind) => kind === list.kind)
}

/** Orders of the items of a collection. Values are those of the last valuation; items without a value come last. */
export const ITEM_SORTS = ['added_desc', 'added_asc', 'name', 'value_desc', 'value_asc'] as const

export type ItemSort = (typeof ITEM_SORTS)[number]

/**
 * Outcomes of the change of one of many items. `conflict`: it is not as requested, and has another revision or is in
 * both collections. `refused`: its card has no such printing.
 */
export const ITEM_OUTCOMES = ['changed', 'conflict', 'missing', 'refused'] as const

export type ItemOutcomeKind = (typeof ITEM_OUTCOMES)[number]
