import type { Usage } from '#client/endpoints.ts'
import { Meter } from '../components/meter.tsx'
import { agoText, count, plural } from '../format.ts'
import { useSession } from '../session.ts'

/** Shows the remaining requests of the day and their reset time. */
export function QuotaPanel({ account }: { account: Usage['account'] }) {
  const { daily_limit: limit, daily_remaining: left, daily_reset: reset } = account
  const { me } = useSession()
  if (me?.is_unlimited) return <Unlimited used={account.today_requests} />
  return (
    <section className="panel quota" aria-labelledby="quota">
      <h2 id="quota">Today</h2>
      <p className="figure">
        {count(left)} <span className="figure-of">of {count(limit)} requests left</span>
      </p>
      <Meter
        label="Requests left today"
        value={left}
        max={limit}
        text={`${count(left)} of ${count(limit)}`}
        isLow={left < limit / 10}
      />
      <p className="small soft">
        {count(account.today_requests)} used. Resets at midnight UTC ({agoText(reset)}).
      </p>
    </section>
  )
}

function Unlimited({ used }: { used: number }) {
  return (
    <section className="panel quota" aria-labelledby="quota">
      <h2 id="quota">Today</h2>
      <p className="figure">{plural(used, 'request')}</p>
      <p className="small soft">This server is private: its accounts have no limits.</p>
    </section>
  )
}
