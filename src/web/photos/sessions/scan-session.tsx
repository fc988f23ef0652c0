import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { ScanSessionTotals } from '#client/endpoints.ts'
import * as texts from '#texts/photos/scan-session.ts'
import { amountOrigin } from '../../collections/amounts.ts'
import type { GameItems } from '../../collections/export-formats.ts'
import { pricedOtherwise, unpricedText, ValueRemarks } from '../../collections/value-remarks.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorMessage, QueryError } from '../../components/error-message.tsx'
import { Facts } from '../../components/facts.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { LineSkeleton, PanelSkeleton } from '../../components/skeleton.tsx'
import { count } from '../../format.ts'
import { useCurrency } from '../../pricing/currency.ts'
import { HowMade } from '../../pricing/how-made.tsx'
import { PriceText } from '../../pricing/price-text.tsx'
import { refetchAfterChange } from '../../query-client.ts'
import { parsePage } from '../../route-params.ts'
import { PictureNote } from '../picture-note.tsx'
import { ScansLeft } from '../scans-left.tsx'
import { AddPhotos } from './add-photos.tsx'
import { QueuePanel } from './queue-panel.tsx'
import { ReviewPanel } from './review-panel.tsx'
import { ScanItems } from './scan-items.tsx'
import { SESSION_ACTIONS, type SessionAction, SessionDialog } from './session-dialogs.tsx'
import { useOpenItems, useReviewedItems, useScanSession } from './session-queries.ts'
import { useScanQueue } from './use-scan-queue.ts'

const CRUMBS = [
  { href: '/identify', name: texts.identify },
  { href: '/identify/sessions', name: texts.scanSessions },
]

type ScanSessionViewProps = { account: number; id: string }

/** Shows one scan session: the photos that are being sent, its cards, and the cards that need a decision. */
export function ScanSessionView({ account, id }: ScanSessionViewProps) {
  const { currency } = useCurrency()
  const [query, setQuery] = useSearchParams()
  const refresh = useRefresh()
  const [action, setAction] = useState<SessionAction>()
  const [statusText, setStatusText] = useState('')
  const review = useRef<HTMLElement>(null)
  const result = useScanSession(id, currency)
  const items = useReviewedItems(id, currency, parsePage(query))
  const open = useOpenItems(id)
  const scans = useScanQueue({ account, session: id }, refresh)
  const session = result.data?.data
  const report = (text: string) => {
    setStatusText(text)
    refresh()
  }
  if (result.isError) {
    return (
      <Page title={texts.scanSession} crumbs={CRUMBS}>
        <QueryError query={result} notFound={NOT_FOUND} />
      </Page>
    )
  }
  return (
    <Page
      title={session?.name ?? texts.scanSession}
      crumbs={CRUMBS}
      lead={<ScansLeft />}
      aside={
        <div className="row">
          {SESSION_ACTIONS.map(([action, name]) => (
            <Button
              key={action}
              className={action === 'delete' ? 'danger' : ''}
              disabled={session === undefined}
              onClick={() => setAction(action)}
            >
              {name}
            </Button>
          ))}
        </div>
      }
    >
      <div className="stack">
        {scans.error !== undefined && <ErrorMessage error={scans.error} />}
        {scans.queue !== undefined && (
          <>
            <AddPhotos {...scans} queue={scans.queue} />
            <QueuePanel queue={scans.queue} state={scans.state} />
          </>
        )}
        <PictureNote />
        {session === undefined ? (
          <PanelSkeleton lines={[[30, '3rem'], [20]]} />
        ) : (
          <Totals
            session={session}
            onReview={() => {
              review.current?.focus({ preventScroll: true })
              review.current?.scrollIntoView({ block: 'start' })
            }}
          />
        )}
        <p className="status-line" role="status">
          {statusText}
        </p>
        <QueryError query={open} />
        {open.data !== undefined && open.data.meta.total > 0 && (
          <ReviewPanel
            ref={review}
            of={{ account, session: id }}
            inbox={scans.inbox}
            queue={scans.queue}
            answered={scans.state.answered}
            items={open.data.data}
            total={open.data.meta.total}
            onDecided={report}
          />
        )}
        <QueryError query={items} />
        {items.isPending && <LineSkeleton count={6} />}
        {items.data !== undefined && (items.data.meta.total > 0 || open.data?.meta.total === 0) && (
          <section className="stack tight" aria-labelledby="scanned">
            <h2 id="scanned">{texts.cards}</h2>
            <ScanItems session={id} items={items.data.data} onChanged={report} />
            <Pager
              meta={items.data.meta}
              onPage={(page) => setQuery(page === 1 ? {} : { page: String(page) })}
            />
          </section>
        )}
      </div>
      {session !== undefined && (
        <SessionDialog
          action={action}
          session={session}
          games={items.data && countGames(items.data)}
          of={{ account, session: id }}
          inbox={scans.inbox}
          onChanged={report}
          onClose={() => setAction(undefined)}
        />
      )}
    </Page>
  )
}

type TotalsProps = { session: ScanSessionTotals; onReview: () => void }

/** Shows the value and the number of cards so far. */
function Totals({ session, onReview }: TotalsProps) {
  const { value, copies, item_count, open, unpriced, scans_charged } = session
  return (
    <section className="panel value-panel" aria-label={texts.totals}>
      <div>
        <p className="price-large">
          <PriceText amount={open === item_count ? null : value} origin={amountOrigin(session)} />
        </p>
        <p className="small soft">
          {open === 0 ? texts.marketValue : texts.marketValueOfTheReviewed}
        </p>
      </div>
      <Facts
        className="value-facts"
        rows={[
          [texts.cards, count(copies)],
          [texts.scansUsed, count(scans_charged)],
          [texts.toReviewRows, count(open)],
        ]}
      />
      <ValueRemarks
        className="wide"
        remarks={[...pricedOtherwise(session), ...unpricedText(unpriced)]}
      />
      {open > 0 && (
        <Button className="main" onClick={onReview}>
          {texts.reviewCards(open)}
        </Button>
      )}
      <HowMade of={['value-of-a-collection']} />
    </section>
  )
}

type ReviewedItems = NonNullable<ReturnType<typeof useReviewedItems>['data']>

/** Counts the items by game if all of them are on one page. */
function countGames({ data, meta }: ReviewedItems): GameItems[] | undefined {
  if (meta.total > data.length) return undefined
  const games = new Map<string, number>()
  for (const { game } of data) {
    if (game !== null) games.set(game, (games.get(game) ?? 0) + 1)
  }
  return [...games].map(([game, items]) => ({ game, items }))
}

/** Minimum time between two refreshes: photos may be answered faster than the lists are fetched. */
const REFRESH_MS = 700

/** Returns a function that soon fetches all parts of the session again. */
function useRefresh(): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    clearTimeout(timer.current)
    const wait = Math.max(0, last.current + REFRESH_MS - performance.now())
    timer.current = setTimeout(() => {
      last.current = performance.now()
      refetchAfterChange('/v1/scan-sessions')
    }, wait)
  }
}

const NOT_FOUND = {
  title: texts.scanSessionNotFound,
  text: texts.sessionNotFoundText,
}
