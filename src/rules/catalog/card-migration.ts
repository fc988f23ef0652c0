/** Changes of cards that a client may have stored the id of. */
export const MIGRATION_KINDS = ['removed', 'restored', 'moved', 'merged'] as const

/**
 * `removed`: the mirror no longer lists the card. `restored`: it does again. `moved`: the card is in another set or
 * game. `merged`: another card of its set, with its name and number, replaces it.
 */
export type MigrationKind = (typeof MIGRATION_KINDS)[number]

/** Kind of the change of a card that the mirror lists; undefined if it is where it was. */
export function findMigrationKind(
  before: { set_id: number; is_missing: boolean },
  set_id: number,
): Extract<MigrationKind, 'restored' | 'moved'> | undefined {
  if (before.set_id !== set_id) return 'moved'
  return before.is_missing ? 'restored' : undefined
}
