import type { Usage } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/account.ts'
import { Meter } from '../components/meter.tsx'
import { agoText, count } from '../format.ts'
import { useSession } from '../session.ts'

/** Shows the remaining requests of the day and their reset time. */
export function QuotaPanel({ account }: { account: Usage['account'] }) {
  const { daily_limit: limit, daily_remaining: left, daily_reset: reset } = account
  const { me } = useSession()
  if (me?.is_unlimited) return <Unlimited used={account.today_requests} />
  return (
    <section className="panel quota" aria-labelledby="quota">
      <h2 id="quota">{texts.today}</h2>
      <p className="figure">
        {texts.requestsLeft({
          left: count(left),
          limit: count(limit),
          small: (text) => <span className="figure-of">{text}</span>,
        })}
      </p>
      <Meter
        label={texts.requestsLeftToday}
        value={left}
        max={limit}
        text={texts.leftOf({ left: count(left), limit: count(limit) })}
        isLow={left < limit / 10}
      />
      <p className="small soft">
        {texts.usedToday({
          used: count(account.today_requests),
          reset: agoText(reset),
        })}
      </p>
    </section>
  )
}

function Unlimited({ used }: { used: number }) {
  return (
    <section className="panel quota" aria-labelledby="quota">
      <h2 id="quota">{texts.today}</h2>
      <p className="figure">{texts.requestCount(used)}</p>
      <p className="small soft">{texts.serverIsPrivateItsAccounts}</p>
    </section>
  )
}
