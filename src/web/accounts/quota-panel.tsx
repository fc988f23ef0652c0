import type { Usage } from '#client/endpoints.ts'
import { Meter } from '../components/meter.tsx'
import { agoText, clockText, count } from '../format.ts'

/** What is left of the day's requests, and when they come back. */
export function QuotaPanel({ account }: { account: Usage['account'] }) {
  const { daily_limit: limit, daily_remaining: left, daily_reset: reset } = account
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
      />
      <p className="small soft">
        {count(account.today_requests)} used. All of them come back at {clockText(reset)} (
        {agoText(reset)}).
      </p>
    </section>
  )
}
