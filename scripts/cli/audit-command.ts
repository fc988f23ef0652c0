import type { Deps } from '#deps.ts'
import { printList } from './terminal.ts'
import { formatTable, formatTime } from './text.ts'

/** Prints the audit log, newest first. */
export async function printAuditLog(
  { ledger }: Deps,
  { email, limit, json }: { email: string | undefined; limit: number; json: boolean },
): Promise<undefined> {
  const entries = (await ledger.audit.list(limit, email)).map(({ at, ...entry }) => ({
    at: new Date(at).toISOString(),
    ...entry,
  }))
  printList(entries, {
    json,
    table: () =>
      entries.length === 0
        ? 'No entries.'
        : formatTable(
            ['time (UTC)', 'event', 'account', 'from', 'detail'],
            entries.map(({ at, event, email, address, detail }) => [
              formatTime(at),
              event,
              email ?? '-',
              address ?? 'command line',
              detail ?? '',
            ]),
          ),
  })
}
