import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Usage } from '#client/endpoints.ts'
import { planName } from '../billing/plan-text.ts'
import { Copy } from '../components/copy-button.tsx'
import { Fault } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { Bone } from '../components/skeleton.tsx'
import { count } from '../format.ts'
import { useSession } from '../session.tsx'
import { firstRequest, useUsage } from './queries.ts'
import { Quota } from './quota.tsx'

/** An account at a glance, and what a newcomer does next. */
export function OverviewView() {
  const { me } = useSession()
  const usage = useUsage()
  return (
    <Page title="Your account" lead={me?.email}>
      {usage.state === 'failed' && <Fault error={usage.error} again={usage.again} />}
      {usage.state === 'loading' && <OverviewBones />}
      {usage.state === 'ready' && <Overview usage={usage.data.data} />}
    </Page>
  )
}

function Overview({ usage }: { usage: Usage }) {
  const { account, keys, scans } = usage
  const active = keys.filter(({ is_active }) => is_active).length
  const isNew = keys.every(({ requests_total }) => requests_total === 0)
  return (
    <div className="stack">
      {isNew && <FirstSteps hasKey={active > 0} />}
      <Quota account={account} />
      <div className="glances">
        <Glance title="Plan" figure={planName(account.tier)} href="/account/plan">
          {count(account.daily_limit)} requests a day
        </Glance>
        <Glance title="Keys" figure={count(active)} href="/account/keys">
          {active === 1 ? 'active key' : 'active keys'}
        </Glance>
        <Glance title="Scans" figure={count(scans.balance)} href="/account/scans">
          {scans.trial_pending ? 'and 25 free ones with your first photo' : 'photos to identify'}
        </Glance>
      </div>
    </div>
  )
}

type GlanceProps = {
  title: string
  figure: string
  href: string
  children: ReactNode
}

function Glance({ title, figure, href, children }: GlanceProps) {
  return (
    <section className="panel glance">
      <h2>
        <Link href={href}>{title}</Link>
      </h2>
      <p className="figure">{figure}</p>
      <p className="small soft">{children}</p>
    </section>
  )
}

function FirstSteps({ hasKey }: { hasKey: boolean }) {
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol className="steps">
        <li className={hasKey ? 'done' : ''}>
          <div>
            <h3>Make a key {hasKey && <span className="tag good">Done</span>}</h3>
            <p className="soft">
              Programs show it with each request. It is told once: keep it well.
            </p>
            {!hasKey && (
              <Link className="button main" href="/account/keys?new">
                Make a key
              </Link>
            )}
          </div>
        </li>
        <li>
          <div>
            <h3>Try it</h3>
            <p className="soft">Put your key in the place of YOUR_KEY.</p>
            <Copy what="request" text={firstRequest('YOUR_KEY')} />
          </div>
        </li>
        <li>
          <div>
            <h3>Build something</h3>
            <p className="soft">
              <a href="/docs">All endpoints</a> can be tried in the browser, or{' '}
              <Link href="/identify">have a card read</Link> from a photo.
            </p>
          </div>
        </li>
      </ol>
    </section>
  )
}

function OverviewBones() {
  return (
    <div className="stack" role="status" aria-label="Loading">
      <div className="panel stack">
        <Bone width="30%" />
        <Bone width="60%" height="2rem" />
        <Bone height="0.5rem" />
      </div>
      <div className="glances">
        {['plan', 'keys', 'scans'].map((name) => (
          <div key={name} className="panel stack">
            <Bone width="40%" />
            <Bone width="70%" height="2rem" />
          </div>
        ))}
      </div>
    </div>
  )
}
