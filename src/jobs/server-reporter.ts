import { reportServer } from '#actions/operations/describe-servers.ts'
import type { Deps } from '#deps.ts'

export type ServerReporter = {
  /** Takes the report back: a server that stops is not missed. Never rejects. */
  close(): Promise<void>
}

/** Reports this server to those that share its ledger; undefined without a shared ledger. */
export function startServerReporter(deps: Deps): ServerReporter | undefined {
  const { ledger, serverName } = deps
  const { shared } = ledger
  if (shared === undefined) return undefined
  let reporting = Promise.resolve()
  // The reason of a failure shows in the operations of the ledger, which fail as well.
  const report = () => {
    reporting = reporting.then(() => reportServer(deps)).catch(() => undefined)
  }
  const timer = setInterval(report, EVERY_MS)
  report()
  return {
    async close() {
      clearInterval(timer)
      await reporting
      await shared.serverReports.delete(serverName).catch(() => undefined)
    },
  }
}

const EVERY_MS = 5_000
