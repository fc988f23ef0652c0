import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { PackOffer, ScanUsage } from '#client/endpoints.ts'
import { useOffers } from '../accounts/queries.ts'
import { Bars } from '../components/bars.tsx'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Page } from '../components/page.tsx'
import { PanelSkeleton } from '../components/skeleton.tsx'
import { type Column, Table } from '../components/table.tsx'
import { count, dayText, plural } from '../format.ts'
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
    <Page
      title="Scans"
      lead={
        isUnlimited
          ? 'Photos that you have identified.'
          : 'Each photo uses one scan. Scans never expire.'
      }
    >
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
      <h2 id="balance">Balance</h2>
      <div className="section-head">
        <div>
          <p className="figure">
            {count(balance)} <span className="figure-of">{balance === 1 ? 'scan' : 'scans'}</span>
          </p>
          {trial_pending && <p className="soft">You have 25 free scans.</p>}
          {debt > 0 && (
            <p className="soft">
              {count(debt)} scans were used before their payment was refunded. They will be deducted
              from your next scans.
            </p>
          )}
        </div>
        <Link className="button main" href="/identify">
          Identify a card
        </Link>
      </div>
    </section>
  )
}

function Packs({ packs }: { packs: readonly PackOffer[] }) {
  const ordering = useAction(openCheckout)
  return (
    <section aria-labelledby="packs">
      <h2 id="packs">Buy scans</h2>
      <FormError error={ordering.error} />
      <ul className="packs">
        {packs.map(({ pack, scans, price_cents }) => (
          <li key={pack} className="panel pack">
            <h3>{count(scans)} scans</h3>
            <p className="plan-price">{usdOfCents(price_cents)}</p>
            <p className="small soft">{centsEach(price_cents / scans)} per scan</p>
            <Button
              className="wide"
              isBusy={ordering.isRunning}
              onClick={() => void ordering.start(pack)}
              aria-label={`Buy ${count(scans)} scans`}
            >
              Buy
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
  ['matched', 'Matched'],
  ['ambiguous', 'Ambiguous'],
  ['retake', 'Retake'],
  ['not_found', 'Not found'],
  ['unsupported', 'Unsupported'],
] as const

const SERIES = OUTCOMES.map(([, name]) => name)

function Month({ days }: { days: ScanUsage['days'] }) {
  const sum = days.reduce((all, { scans }) => all + scans, 0)
  return (
    <section className="panel stack" aria-labelledby="month">
      <h2 id="month">
        {count(sum)} {sum === 1 ? 'photo' : 'photos'} in 30 days
      </h2>
      {sum === 0 ? (
        <p className="soft">Your daily results will appear here.</p>
      ) : (
        <>
          <Bars
            label="Photos by day"
            sumText={(sum) => plural(sum, 'photo')}
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
      <summary>Show as table</summary>
      <div className="table-frame">
        <Table columns={DAY_COLUMNS} rows={days.toReversed()} keyOf={({ date }) => date} />
      </div>
    </details>
  )
}

const DAY_COLUMNS: readonly Column<ScanUsage['days'][number]>[] = [
  ['Day', ({ date }) => dayText(date)],
  ...OUTCOMES.map(
    ([outcome, name]): Column<ScanUsage['days'][number]> => [
      name,
      (day) => count(day[outcome]),
      'number',
    ],
  ),
  ['Refunded', ({ refunded }) => count(refunded), 'number'],
]

const REASONS: Readonly<Record<string, string>> = {
  trial: 'Free trial',
  purchase: 'Purchase',
  grant: 'Added by the operator',
  reinstatement: 'Restored after a dispute',
}

const ADDITION_COLUMNS: readonly Column<ScanUsage['ledger'][number]>[] = [
  ['Day', ({ created_at }) => dayText(created_at)],
  ['Reason', ({ reason }) => REASONS[reason] ?? reason],
  ['Scans', ({ scans }) => count(scans), 'number'],
  ['Paid', ({ amount_cents: cents }) => (cents === null ? '–' : usdOfCents(cents)), 'number'],
]

function Additions({ ledger }: { ledger: ScanUsage['ledger'] }) {
  if (ledger.length === 0) return null
  return (
    <section aria-labelledby="additions">
      <h2 id="additions">Scans added</h2>
      <div className="table-frame">
        {/* Additions have no id, and are never moved. */}
        <Table first="td" columns={ADDITION_COLUMNS} rows={ledger} keyOf={(_, at) => at} />
      </div>
    </section>
  )
}
