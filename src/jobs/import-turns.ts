import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'

/** Turns of the imports of an account on all servers that share the ledger. */
export type ImportTurns = {
  /** @throws the refusal if the account has an import waiting */
  assertRoom(accountId: number): Promise<void>
  /**
   * Runs an import once those of its account that came before have ended, on any server.
   *
   * @param signal ends the import, also while it waits
   * @param action gets a signal that also aborts if this server was silent for so long that others have gone ahead
   * @returns undefined if it ended before its turn or lost it
   * @throws as `assertRoom`
   */
  run<Outcome>(
    accountId: number,
    signal: AbortSignal,
    action: (signal: AbortSignal) => Promise<Outcome | undefined>,
  ): Promise<Outcome | undefined>
}

type TurnDeps = Pick<Deps, 'ledger' | 'log' | 'now' | 'serverName'>

/**
 * Creates the turns; undefined if no other server shares the ledger.
 *
 * @param refusal creates the error for an account that has an import waiting
 */
export function createImportTurns(
  { ledger, log, now, serverName }: TurnDeps,
  refusal: () => Error,
  keepEveryMs = KEEP_EVERY_MS,
): ImportTurns | undefined {
  if (ledger.shared === undefined) return undefined
  const { importTurns: store } = ledger.shared
  const warn = (error: unknown) => log.warn('failed to store the turn of an import', { error })
  /** Looks of this server's imports for their place, by account. */
  const looks = new Map<number, Set<() => Promise<void>>>()
  let cleared: Promise<void> | undefined
  /** Removes the imports of a killed process of this server, before any of this one. */
  const clear = () => (cleared ??= store.leaveAll(serverName).catch(warn))

  return {
    async assertRoom(accountId) {
      await clear()
      if (!(await store.hasRoom(accountId, now()))) throw refusal()
    },
    async run(account_id, signal, action) {
      await clear()
      const id = randomUUID()
      if (!(await store.enter({ id, account_id, server: serverName }, now()))) throw refusal()
      const lost = new AbortController()
      const end = AbortSignal.any([signal, lost.signal])
      const turn = Promise.withResolvers<void>()
      end.addEventListener('abort', () => turn.resolve())
      async function look(): Promise<void> {
        try {
          const place = await store.keep(id, now())
          if (place === 'first') turn.resolve()
          else if (place === 'lost') lost.abort()
        } catch (error) {
          warn(error)
        }
      }
      const ofAccount = looks.get(account_id) ?? new Set()
      looks.set(account_id, ofAccount.add(look))
      const timer = setInterval(look, keepEveryMs)
      try {
        await look()
        await turn.promise
        return end.aborted ? undefined : await action(end)
      } catch (error) {
        if (lost.signal.aborted) return undefined
        throw error
      } finally {
        clearInterval(timer)
        ofAccount.delete(look)
        if (ofAccount.size === 0) looks.delete(account_id)
        await store.leave(id).catch(warn)
        // The next import of the account need not wait for its timer.
        for (const next of ofAccount) void next()
      }
    },
  }
}

/** A fifth of the time after which an import has lost its place. */
const KEEP_EVERY_MS = 3_000
