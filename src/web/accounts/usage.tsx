import { Link, useLocation, useSearch } from 'wouter'
import type { Usage, UsageDay } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/account.ts'
import { Bars } from '../components/bars.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { Select } from '../components/select.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { type Column, Table } from '../components/table.tsx'
import { count, dayText } from '../format.ts'
import { listText } from '../texts/list-text.ts'
import { useUsage } from './queries.ts'
import { QuotaPanel } from './quota-panel.tsx'

/** Shows the requests of the last 30 days. */
export function UsageView() {
  const usage = useUsage()
  return (
    <Page title={texts.usage} lead={texts.requestsWithYourKeys}>
      <QueryError query={usage} />
      {usage.isPending && <UsageSkeleton />}
      {usage.data !== undefined && (
        <div className="stack">
          <QuotaPanel account={usage.data.data.account} />
          <Month usage={usage.data.data} />
        </div>
      )}
    </Page>
  )
}

function Month({ usage }: { usage: Usage }) {
  const [path, go] = useLocation()
  const chosen = new URLSearchParams(useSearch()).get('key') ?? ''
  const key = usage.keys.find(({ id }) => id === chosen)
  const days = key === undefined ? usage.days : wholeMonth(usage.days, key.days)
  const sum = days.reduce((all, { requests }) => all + requests, 0)
  return (
    <section className="panel stack" aria-labelledby="month">
      <div className="section-head">
        <h2 id="month">{texts.requestsIn30Days(sum)}</h2>
        {usage.keys.length > 1 && (
          <label className="row small" htmlFor="key">
            {texts.key}
            <Select
              id="key"
              className="select"
              all={texts.allKeys}
              options={usage.keys.map(({ id, name, last4, is_active }) => [
                id,
                (is_active ? texts.keyOption : texts.revokedKeyOption)({ name, last4 }),
              ])}
              value={key?.id}
              onChange={(id) => go(id === '' ? path : `${path}?key=${id}`, { replace: true })}
            />
          </label>
        )}
      </div>
      {sum === 0 ? <NoRequests hasKeys={usage.keys.length > 0} /> : <UsageDetails days={days} />}
    </section>
  )
}

function UsageDetails({ days }: { days: readonly UsageDay[] }) {
  return (
    <>
      <Bars
        label={texts.requestsByDay}
        sumText={texts.requestCount}
        series={[texts.requests]}
        days={days.map(({ date, requests }) => ({ date, values: [requests] }))}
      />
      <Groups days={days} />
      <details className="more">
        <summary>{texts.showAsTable}</summary>
        <div className="table-frame">
          <Table columns={COLUMNS} rows={days.toReversed()} keyOf={({ date }) => date} />
        </div>
      </details>
    </>
  )
}

const COLUMNS: readonly Column<UsageDay>[] = [
  [texts.day, ({ date }) => dayText(date)],
  [texts.requests, ({ requests }) => count(requests), 'number'],
  [
    texts.endpoints,
    ({ groups }) =>
      listText(Object.entries(groups).map(([group, number]) => `${group} ${count(number)}`)),
    'soft',
  ],
]

/** Endpoint groups, most requests first. */
function Groups({ days }: { days: readonly UsageDay[] }) {
  const sums = new Map<string, number>()
  for (const { groups } of days) {
    for (const [group, number] of Object.entries(groups)) {
      sums.set(group, (sums.get(group) ?? 0) + number)
    }
  }
  const sorted = [...sums].sort(([, one], [, other]) => other - one)
  const most = sorted[0]?.[1] ?? 1
  return (
    <div>
      <h3>{texts.endpoints}</h3>
      <ul className="shares">
        {sorted.map(([group, number]) => (
          <li key={group}>
            <span className="share-name">{group}</span>
            <span className="meter" aria-hidden="true">
              <span style={{ width: `${(number / most) * 100}%` }} />
            </span>
            <span className="share-number">{count(number)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function NoRequests({ hasKeys }: { hasKeys: boolean }) {
  return (
    <div className="usage-empty">
      <p className="soft">{texts.noRequestsYet}</p>
      <Link className="button" href={hasKeys ? '/account' : '/account/keys?new'}>
        {hasKeys ? texts.tryARequest : texts.createKey}
      </Link>
    </div>
  )
}

/** Fills in the days without requests: the API omits them for single keys. */
function wholeMonth(month: readonly UsageDay[], used: readonly UsageDay[]): UsageDay[] {
  const known = new Map(used.map((day) => [day.date, day]))
  return month.map(({ date }) => known.get(date) ?? { date, requests: 0, groups: {} })
}

function UsageSkeleton() {
  return (
    <div className="stack" role="status" aria-label={texts.loading}>
      <div className="panel stack">
        <Skeleton width="30%" />
        <Skeleton width="60%" height="2rem" />
        <Skeleton height="0.5rem" />
      </div>
      <div className="panel stack">
        <Skeleton width="40%" />
        <Skeleton height="14rem" />
      </div>
    </div>
  )
}
