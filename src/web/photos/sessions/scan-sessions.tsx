import { Link, Redirect, useLocation, useSearchParams } from 'wouter'
import type { ScanSession } from '#client/endpoints.ts'
import * as texts from '#texts/photos/scan-session.ts'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ErrorMessage, loginUrl, QueryError } from '../../components/error-message.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { TileSkeleton } from '../../components/skeleton.tsx'
import { agoText } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { forgetAnswers } from '../../query-client.ts'
import { randomUuid } from '../../random-uuid.ts'
import { parsePage } from '../../route-params.ts'
import { useSession } from '../../session.ts'
import { usePhotoOwner } from '../photo-session.ts'
import { type InboxPhoto, openScanInbox } from './scan-inbox.ts'
import { storePhotos } from './scan-queue.ts'
import { ScanSessionView } from './scan-session.tsx'
import { scanSessionUrl, useScanSessions } from './session-queries.ts'

/** Lists the scan sessions of the account, or shows one of them. Redirects visitors to the login. */
export function ScanSessionsView({ id }: { id: string | undefined }) {
  const { me, error, refresh } = useSession()
  usePhotoOwner(me)
  if (error !== undefined) return <ErrorMessage error={error} onRetry={() => void refresh()} />
  if (me === null) return <Redirect to={loginUrl()} replace />
  if (me === undefined) return <TileSkeleton count={3} wide />
  // Remounts both for another account or session.
  return id === undefined ? (
    <SessionList key={me.id} />
  ) : (
    <ScanSessionView key={`${me.id} ${id}`} account={me.id} id={id} />
  )
}

/**
 * Creates a scan session with photos, which it sends when it is opened.
 *
 * @returns its address
 */
export async function startScanSession(
  account: number,
  files: readonly File[],
  options: Pick<InboxPhoto, 'game' | 'isPage'>,
): Promise<string> {
  const inbox = await openScanInbox()
  const { data } = await api.post('/v1/scan-sessions', { body: { id: randomUuid() } })
  const of = { account, session: data.id }
  await storePhotos({ inbox, of, files, options, onStored: () => {} })
  return scanSessionUrl(data.id)
}

function SessionList() {
  const [, go] = useLocation()
  const [query, setQuery] = useSearchParams()
  const result = useScanSessions(parsePage(query))
  const create = useAction(async () => {
    const { data } = await api.post('/v1/scan-sessions', { body: { id: randomUuid() } })
    forgetAnswers()
    go(scanSessionUrl(data.id))
  })
  const sessions = result.data?.data ?? []
  return (
    <Page
      title={texts.scanSessions}
      lead={texts.scanSessionsLead}
      crumbs={[{ href: '/identify', name: texts.identify }]}
      aside={
        <Button className="main" action={create}>
          {texts.newSession}
        </Button>
      }
    >
      {create.error !== undefined && <ErrorMessage error={create.error} />}
      <QueryError query={result} />
      {result.isPending && <TileSkeleton count={3} wide />}
      {result.data?.meta.total === 0 && (
        <div className="note">
          <h2>{texts.noScanSessionsYet}</h2>
          <p>{texts.noScanSessionsText}</p>
        </div>
      )}
      {sessions.length > 0 && (
        <ul className="collection-tiles">
          {sessions.map((session) => (
            <SessionTile key={session.id} session={session} />
          ))}
        </ul>
      )}
      {result.data !== undefined && (
        <Pager
          meta={result.data.meta}
          onPage={(page) => setQuery(page === 1 ? {} : { page: String(page) })}
        />
      )}
    </Page>
  )
}

function SessionTile({ session }: { session: ScanSession }) {
  const { id, name, copies, open, updated_at } = session
  return (
    <li className="panel summary-tile collection-tile">
      <h2>
        <Link href={scanSessionUrl(id)}>{name}</Link>
      </h2>
      <p>{texts.cardCount(copies)}</p>
      <p className="small soft">{texts.changed(agoText(updated_at))}</p>
      {open > 0 && (
        <p className="row tags">
          <span className="tag wait">{texts.toReview(open)}</span>
        </p>
      )}
    </li>
  )
}
