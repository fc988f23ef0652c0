import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Usage } from '#client/endpoints.ts'
import { planName } from '../billing/plan-text.ts'
import { Button } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Page } from '../components/page.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { count } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { readServiceState } from '../service-state.ts'
import { useSession } from '../session.ts'
import { sampleRequest, useUsage } from './queries.ts'
import { QuotaPanel } from './quota-panel.tsx'

/** Summarizes the account and shows the first steps. */
export function OverviewView() {
  const { me, logOut } = useSession()
  const usage = useUsage()
  const [, go] = useLocation()
  const leaving = useAction(async () => {
    await logOut()
    go('/')
  })
  return (
    <Page title="Your account" lead={me?.email} aside={<Button action={leaving}>Log out</Button>}>
      <FormError error={leaving.error} />
      <QueryError query={usage} />
      {usage.isPending && <OverviewSkeleton />}
      {usage.data !== undefined && <Overview usage={usage.data.data} />}
    </Page>
  )
}

function Overview({ usage }: { usage: Usage }) {
  const { account, keys, scans } = usage
  const active = keys.filter(({ is_active }) => is_active).length
  const { billing, mode } = readServiceState()
  const isNew = keys.every(({ requests_total }) => requests_total === 0)
  return (
    <div className="stack">
      {isNew && <FirstSteps hasKey={active > 0} />}
      <QuotaPanel account={account} />
      <div className="summary-tiles">
        {billing !== 'off' && (
          <SummaryTile title="Plan" figure={planName(account.tier)} href="/account/plan">
            {count(account.daily_limit)} requests per day
          </SummaryTile>
        )}
        <SummaryTile title="Keys" figure={count(active)} href="/account/keys">
          {active === 1 ? 'active key' : 'active keys'}
        </SummaryTile>
        {mode !== 'private' && (
          <SummaryTile title="Scans" figure={count(scans.balance)} href="/account/scans">
            {scans.trial_pending ? 'plus 25 free scans' : 'scans left'}
          </SummaryTile>
        )}
      </div>
    </div>
  )
}

type SummaryTileProps = {
  title: string
  figure: string
  href: string
  children: ReactNode
}

function SummaryTile({ title, figure, href, children }: SummaryTileProps) {
  return (
    <section className="panel summary-tile">
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
            <h3>Create a key {hasKey && <span className="tag good">Done</span>}</h3>
            <p className="soft">
              Send the key with each request. It is shown only once, so save it now.
            </p>
            {!hasKey && (
              <Link className="button main" href="/account/keys?new">
                Create key
              </Link>
            )}
          </div>
        </li>
        <li>
          <div>
            <h3>Try it</h3>
            <p className="soft">Replace YOUR_KEY with your key.</p>
            <CopyButton noun="request" text={sampleRequest('YOUR_KEY')} />
          </div>
        </li>
        <li>
          <div>
            <h3>Build something</h3>
            <p className="soft">
              Try <a href="/docs">all endpoints</a> in the browser, or{' '}
              <Link href="/identify">identify a card</Link> by photo.
            </p>
          </div>
        </li>
      </ol>
    </section>
  )
}

function OverviewSkeleton() {
  return (
    <div className="stack" role="status" aria-label="Loading">
      <div className="panel stack">
        <Skeleton width="30%" />
        <Skeleton width="60%" height="2rem" />
        <Skeleton height="0.5rem" />
      </div>
      <div className="summary-tiles">
        {['plan', 'keys', 'scans'].map((name) => (
          <div key={name} className="panel stack">
            <Skeleton width="40%" />
            <Skeleton width="70%" height="2rem" />
          </div>
        ))}
      </div>
    </div>
  )
}
