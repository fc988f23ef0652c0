import type { OperatorStatus } from '#client/endpoints.ts'
import { type FactRow, Facts } from '../components/facts.tsx'
import { agoText, count, dateTimeText, plural } from '../format.ts'
import { bytesText } from '../measure-text.ts'

/** Shows the figures behind the status. */
export function OperatorDetails({ status }: { status: OperatorStatus }) {
  return (
    <div className="details">
      {Object.entries(listFacts(status)).map(([name, rows]) => (
        <section key={name} className="panel">
          <h2>{name}</h2>
          <Facts rows={rows} />
        </section>
      ))}
      {status.backups === null && (
        <section className="panel">
          <h2>Backups</h2>
          <p className="small soft">
            <code>BACKUP_DIR=off</code>: backups are disabled.
          </p>
        </section>
      )}
    </div>
  )
}

/** Returns the figures by panel. */
function listFacts(status: OperatorStatus): Record<string, FactRow[]> {
  const { reader, deliveries, disk, backups, catalog, accounts, requests, games } = status
  const [server] = status.servers ?? []
  return {
    Service: [
      ...(server === undefined ? [] : [['Server', server.name] satisfies FactRow]),
      ['Version', status.version],
      ['Up since', dateTimeText(status.started_at)],
      ['Port', status.is_port_shared ? 'shared' : 'not shared'],
      ['Requests', count(requests.answered)],
      ['Server errors', count(requests.failed)],
      ['Accounts', count(accounts.total)],
    ],
    Catalog: [
      ['Version', count(catalog.version)],
      ['Last change', agoText(catalog.changed_at, Date.parse(status.now))],
      ['Prices from', catalog.published_at === null ? 'none' : dateTimeText(catalog.published_at)],
      ['Sets', count(sumOf(games, 'set_count'))],
      ['Cards', count(sumOf(games, 'card_count'))],
    ],
    'Photo reader': [
      ['Threads', count(reader.workers)],
      ['Photos waiting', count(reader.waiting)],
      ['Photos processing', count(reader.reading)],
      ['Scans today', count(accounts.scans_today)],
      ['Threads replaced', count(reader.replaced)],
      ['Indexed images', count(reader.pictures)],
    ],
    Alerts: [
      ['Active alerts', count(deliveries.watches)],
      ['Pending deliveries', count(deliveries.pending)],
      ['Due now', count(deliveries.due)],
      ['Longest overdue', plural(deliveries.oldest_due_seconds, 'second')],
      ['Undelivered (30 days)', count(deliveries.dead)],
      ['Receivers', deliveries.network === 'public' ? 'Public addresses' : 'Also this machine'],
    ],
    'Files and disk': [
      ...disk.files.map(({ name, bytes }): FactRow => [name, bytesText(bytes)]),
      ['Free', disk.free_bytes === null ? 'unknown' : bytesText(disk.free_bytes)],
      ['Disk', disk.total_bytes === null ? 'unknown' : bytesText(disk.total_bytes)],
    ],
    ...(backups !== null && {
      Backups: [
        ['Newest', backups.newest_at === null ? 'none yet' : dateTimeText(backups.newest_at)],
        ['Backups', count(backups.count)],
        ['Total size', bytesText(backups.bytes)],
      ],
    }),
  }
}

function sumOf(games: OperatorStatus['games'], what: 'set_count' | 'card_count'): number {
  return games.reduce((sum, game) => sum + game[what], 0)
}
