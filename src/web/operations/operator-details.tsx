import type { OperatorStatus } from '#client/endpoints.ts'
import * as texts from '#texts/operations/operator.ts'
import { type FactRow, Facts } from '../components/facts.tsx'
import { agoText, count, dateTimeText } from '../format.ts'
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
          <h2>{texts.backups}</h2>
          <p className="small soft">
            {texts.backupDirOffBackups((text) => (
              <code>{text}</code>
            ))}
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
      ...(server === undefined ? [] : [[texts.server, server.name] satisfies FactRow]),
      [texts.version, status.version],
      [texts.upSince, dateTimeText(status.started_at)],
      [texts.port, status.is_port_shared ? texts.shared : texts.notShared],
      [texts.requests, count(requests.answered)],
      [texts.serverErrors, count(requests.failed)],
      [texts.accounts, count(accounts.total)],
    ],
    Catalog: [
      [texts.version, count(catalog.version)],
      [texts.lastChange, agoText(catalog.changed_at, Date.parse(status.now))],
      [
        texts.pricesFrom,
        catalog.published_at === null ? texts.none : dateTimeText(catalog.published_at),
      ],
      [texts.sets, count(sumOf(games, 'set_count'))],
      [texts.cards, count(sumOf(games, 'card_count'))],
    ],
    'Photo reader': [
      [texts.threads, count(reader.workers)],
      [texts.photosWaiting, count(reader.waiting)],
      [texts.photosProcessing, count(reader.reading)],
      [texts.scansToday, count(accounts.scans_today)],
      [texts.threadsReplaced, count(reader.replaced)],
      [texts.indexedImages, count(reader.pictures)],
    ],
    Alerts: [
      [texts.activeAlerts, count(deliveries.watches)],
      [texts.pendingDeliveries, count(deliveries.pending)],
      [texts.dueNow, count(deliveries.due)],
      [texts.longestOverdue, texts.secondCount(deliveries.oldest_due_seconds)],
      [texts.undelivered30Days, count(deliveries.dead)],
      [
        texts.receivers,
        deliveries.network === 'public' ? texts.publicAddresses : texts.alsoThisMachine,
      ],
    ],
    'Files and disk': [
      ...disk.files.map(({ name, bytes }): FactRow => [name, bytesText(bytes)]),
      [texts.free, disk.free_bytes === null ? texts.unknown : bytesText(disk.free_bytes)],
      [texts.disk, disk.total_bytes === null ? texts.unknown : bytesText(disk.total_bytes)],
    ],
    ...(backups !== null && {
      Backups: [
        [
          texts.newest,
          backups.newest_at === null ? texts.noneYet : dateTimeText(backups.newest_at),
        ],
        [texts.backups, count(backups.count)],
        [texts.totalSize, bytesText(backups.bytes)],
      ],
    }),
  }
}

function sumOf(games: OperatorStatus['games'], what: 'set_count' | 'card_count'): number {
  return games.reduce((sum, game) => sum + game[what], 0)
}
