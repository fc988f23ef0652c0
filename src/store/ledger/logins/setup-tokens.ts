import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'

/** Tokens of the setup, found by their hash. They are valid until the first operator exists. */
export type SetupTokenStore = {
  /** Stores a token; false if the server has an operator, or its setup has ended. */
  create(token_hash: Uint8Array, now: Date): Promise<boolean>
  /** Returns true if the setup can begin with a token. */
  isValid(token_hash: Uint8Array): Promise<boolean>
}

export function openSetupTokenStore(engine: LedgerEngine): SetupTokenStore {
  const { query, transact } = engine
  const writer = openSetupTokenWriter(engine)
  const add = engine.prepare<[Uint8Array, number]>(
    `INSERT INTO setup_tokens (token_hash, created_at)
     SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE is_operator = 1) AND ${UNFINISHED}`,
  )
  return {
    create: (token_hash, now) =>
      transact(function* () {
        return (yield* add.run(token_hash, now.getTime())) > 0
      }),
    isValid: (token_hash) => query(writer.isValid(token_hash)),
  }
}

/** Prepares the use of tokens. The caller provides the transaction. */
export function openSetupTokenWriter(engine: LedgerEngine) {
  const find = engine.prepare<[Uint8Array], { created_at: number }>(
    `SELECT created_at FROM setup_tokens WHERE token_hash = ? AND ${UNFINISHED}`,
  )
  const deleteAll = engine.prepare<[]>('DELETE FROM setup_tokens')
  return {
    *isValid(token_hash: Uint8Array): LedgerOperation<boolean> {
      return (yield* find.get(token_hash)) !== undefined
    },
    /** Ends all tokens, because the server has an operator now. */
    endAll: () => deleteAll.run(),
  }
}

/** Condition: the operator has not finished the setup (rules/operations/service-settings.ts). */
const UNFINISHED =
  "NOT EXISTS (SELECT 1 FROM service_settings WHERE name = 'setup' AND value = 'finished')"
