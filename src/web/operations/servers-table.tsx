import type { OperatorStatus } from '#client/endpoints.ts'
import { type Column, Table } from '../components/table.tsx'
import { agoText, dateTimeText } from '../format.ts'

type Server = NonNullable<OperatorStatus['servers']>[number]

/** Lists the servers that share the ledger. */
export function ServersTable({ servers, now }: Pick<OperatorStatus, 'servers' | 'now'>) {
  if (servers === null) return null
  return (
    <section className="stack tight" aria-labelledby="servers">
      <h2 id="servers">Servers</h2>
      <div className="table-frame">
        <Table columns={serverColumns(Date.parse(now))} rows={servers} keyOf={({ name }) => name} />
      </div>
    </section>
  )
}

function serverColumns(at: number): Column<Server>[] {
  return [
    [
      'Server',
      ({ name, started_at, seen_at }) => (
        <>
          {name}
          <p className="small soft narrow-only">
            Up since {dateTimeText(started_at)}, seen {agoText(seen_at, at)}
          </p>
        </>
      ),
    ],
    ['Status', (server) => <ServerTag server={server} />],
    ['Photo reader', ({ reader }) => reader ?? 'unknown', 'wide-only'],
    ['Version', ({ version }) => version, 'wide-only'],
    ['Up since', ({ started_at }) => dateTimeText(started_at), 'wide-only'],
    ['Last seen', ({ seen_at }) => agoText(seen_at, at), 'wide-only'],
  ]
}

function ServerTag({ server: { is_silent, reader } }: { server: Server }) {
  if (is_silent) return <span className="tag bad">Not reporting</span>
  if (reader === 'not ready') return <span className="tag wait">No photos</span>
  return <span className="tag good">Running</span>
}
