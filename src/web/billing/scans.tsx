import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { PackOffer, ScanUsage } from '#client/endpoints.ts'
import * as texts from '#texts/billing/scans.ts'
import { useOffers } from '../accounts/queries.ts'
import { Bars } from '../components/bars.tsx'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Page } from '../components/page.tsx'
import { PanelSkeleton } from '../components/skeleton.tsx'
import { type Column, Table } from '../components/table.tsx'
import { count, dayText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery } from '../query-client.ts'
import { useSession } from '../session.ts'
import { openCheckout } from './checkout.ts'
import { usdOfCents } from './plan-text.ts'

/** Shows the scan balance, scan packs and recent results. */
export function ScansView() {
  const scans = useQuery(apiQuery('/v1/identify/usage'))
  const offers = useOffers()
  const isUnlimited = useSession().me?.is_unlimited === true
  return (
    <Page title={texts.scans} lead={isUnlimited ? texts.photosLead : texts.scansLead}>
      <div className="stack">
        <QueryError query={scans} />
        {scans.isPending && <PanelSkeleton lines={[[20], [40, '2rem']]} />}
        {scans.data !== undefined && !isUnlimited && <Balance scans={scans.data.data} />}
        {!scans.isError && <QueryError query={offers} />}
        {offers.data !== undefined && offers.data.data.provider !== 'off' && (
          <Packs packs={offers.data.data.packs} />
        )}
        {scans.data !== undefined && (
          <>
            <Month days={scans.data.data.days} />
            {!isUnlimited && <Additions ledger={scans.data.data.ledger} />}
          </>
        )}
      </div>
    </Page>
  )
}

function Balance({ scans: { balance, debt, trial_pending } }: { scans: ScanUsage }) {
  return (
    <section className="panel" aria-labelledby="balance">
      <h2 id="balance">{texts.balance}</h2>
      <div className="section-head">
        <div>
          <p className="figure">
            {count(balance)} <span className="figure-of">{texts.scanUnit(balance)}</span>
          </p>
          {trial_pending && <p className="soft">{texts.youHave25FreeScans}</p>}
          {debt > 0 && <p className="soft">{texts.debt(debt)}</p>}
        </div>
        <Link className="button main" href="/identify">
          {texts.identifyACard}
        </Link>
      </div>
    </section>
  )
}

function Packs({ packs }: { packs: readonly PackOffer[] }) {
  const ordering = useAction(openCheckout)
  return (
    <section aria-labelledby="packs">
      <h2 id="packs">{texts.buyScans}</h2>
      <FormError error={ordering.error} />
      <ul className="packs">
        {packs.map(({ pack, scans, price_cents }) => (
          <li key={pack} className="panel pack">
            <h3>{texts.scanCount(scans)}</h3>
            <p className="plan-price">{usdOfCents(price_cents)}</p>
            <p className="small soft">{texts.perScan(centsEach(price_cents / scans))}</p>
            <Button
              className="wide"
              isBusy={ordering.isRunning}
              onClick={() => void ordering.start(pack)}
              aria-label={texts.buyScansOf(scans)}
            >
              {texts.buy}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function centsEach(cents: number): string {
  return `${count(Math.round(cents * 100) / 100)} ¢`
}

const OUTCOMES = [
  ['matched', texts.matched],
  ['ambiguous', texts.ambiguous],
  ['retake', texts.retake],
  ['not_found', texts.notFound],
  ['unsupported', texts.unsupported],
] as const

const SERIES = OUTCOMES.map(([, name]) => name)

function Month({ days }: { days: ScanUsage['days'] }) {
  const sum = days.reduce((all, { scans }) => all + scans, 0)
  return (
    <section className="panel stack" aria-labelledby="month">
      <h2 id="month">{texts.photosIn30Days(sum)}</h2>
      {sum === 0 ? (
        <p className="soft">{texts.dailyResultsWillAppearHere}</p>
      ) : (
        <>
          <Bars
            label={texts.photosByDay}
            sumText={texts.photoCount}
            series={SERIES}
            days={days.map((day) => ({
              date: day.date,
              values: OUTCOMES.map(([outcome]) => day[outcome]),
            }))}
          />
          <DayTable days={days} />
        </>
      )}
    </section>
  )
}

function DayTable({ days }: { days: ScanUsage['days'] }) {
  return (
    <details className="more">
      <summary>{texts.showAsTable}</summary>
      <div className="table-frame">
        <Table columns={DAY_COLUMNS} rows={days.toReversed()} keyOf={({ date }) => date} />
      </div>
    </details>
  )
}

const DAY_COLUMNS: readonly Column<ScanUsage['days'][number]>[] = [
  [texts.day, ({ date }) => dayText(date)],
  ...OUTCOMES.map(
    ([outcome, name]): Column<ScanUsage['days'][number]> => [
      name,
      (day) => count(day[outcome]),
      'number',
    ],
  ),
  [texts.refunded, ({ refunded }) => count(refunded), 'number'],
]

const REASONS: Readonly<Record<string, string>> = {
  trial: texts.freeTrial,
  purchase: texts.purchase,
  grant: texts.addedByTheOperator,
  reinstatement: texts.restoredAfterADispute,
}

const ADDITION_COLUMNS: readonly Column<ScanUsage['ledger'][number]>[] = [
  [texts.day, ({ created_at }) => dayText(created_at)],
  [texts.reason, ({ reason }) => REASONS[reason] ?? reason],
  [texts.scans, ({ scans }) => count(scans), 'number'],
  [texts.paid, ({ amount_cents: cents }) => (cents === null ? '–' : usdOfCents(cents)), 'number'],
]

function Additions({ ledger }: { ledger: ScanUsage['ledger'] }) {
  if (ledger.length === 0) return null
  return (
    <section aria-labelledby="additions">
      <h2 id="additions">{texts.scansAdded}</h2>
      <div className="table-frame">
        {/* Additions have no id, and are never moved. */}
        <Table first="td" columns={ADDITION_COLUMNS} rows={ledger} keyOf={(_, at) => at} />
      </div>
    </section>
  )
}
