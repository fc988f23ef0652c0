import type { ReactNode } from 'react'
import type { OperatorStatus } from '#client/endpoints.ts'
import { Facts } from '../components/facts.tsx'
import { agoText, bytesText, count, dateTimeText, plural } from '../format.ts'

/** Shows the figures behind the status. */
export function OperatorDetails({ status }: { status: OperatorStatus }) {
  const { reader, deliveries, disk, backups, catalog, accounts, requests, games } = status
  const now = Date.parse(status.now)
  return (
    <div className="details">
      <Group name="Service">
        <Facts
          rows={[
            ['Version', status.version],
            ['Up since', dateTimeText(status.started_at)],
            ['Requests', count(requests.answered)],
            ['Server errors', count(requests.failed)],
            ['Accounts', count(accounts.total)],
          ]}
        />
      </Group>
      <Group name="Catalog">
        <Facts
          rows={[
            ['Version', count(catalog.version)],
            ['Last change', agoText(catalog.changed_at, now)],
            [
              'Prices from',
              catalog.published_at === null ? 'none' : dateTimeText(catalog.published_at),
            ],
            ['Sets', count(sumOf(games, 'set_count'))],
            ['Cards', count(sumOf(games, 'card_count'))],
          ]}
        />
      </Group>
      <Group name="Photo reader">
        <Facts
          rows={[
            ['Threads', count(reader.workers)],
            ['Photos waiting', count(reader.waiting)],
            ['Photos processing', count(reader.reading)],
            ['Scans today', count(accounts.scans_today)],
            ['Threads replaced', count(reader.replaced)],
            ['Indexed images', count(reader.pictures)],
          ]}
        />
      </Group>
      <Group name="Alerts">
        <Facts
          rows={[
            ['Active alerts', count(deliveries.watches)],
            ['Pending deliveries', count(deliveries.pending)],
            ['Due now', count(deliveries.due)],
            ['Longest overdue', plural(deliveries.oldest_due_seconds, 'second')],
            ['Undelivered (30 days)', count(deliveries.dead)],
          ]}
        />
      </Group>
      <Group name="Files and disk">
        <Facts
          rows={[
            ...disk.files.map(({ name, bytes }) => [name, bytesText(bytes)] as const),
            ['Free', disk.free_bytes === null ? 'unknown' : bytesText(disk.free_bytes)],
            ['Disk', disk.total_bytes === null ? 'unknown' : bytesText(disk.total_bytes)],
          ]}
        />
      </Group>
      <Group name="Backups">
        {backups === null ? (
          <p className="small soft">
            <code>BACKUP_DIR=off</code>: backups are disabled.
          </p>
        ) : (
          <Facts
            rows={[
              ['Newest', backups.newest_at === null ? 'none yet' : dateTimeText(backups.newest_at)],
              ['Backups', count(backups.count)],
              ['Total size', bytesText(backups.bytes)],
            ]}
          />
        )}
      </Group>
    </div>
  )
}

function sumOf(games: OperatorStatus['games'], what: 'set_count' | 'card_count'): number {
  return games.reduce((sum, game) => sum + game[what], 0)
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="panel">
      <h2>{name}</h2>
      {children}
    </section>
  )
}
