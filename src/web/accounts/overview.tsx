import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Usage } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/account.ts'
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
    <Page
      title={texts.yourAccount}
      lead={me?.email}
      aside={<Button action={leaving}>{texts.logOut}</Button>}
    >
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
          <SummaryTile title={texts.plan} figure={planName(account.tier)} href="/account/plan">
            {texts.requestsPerDay(count(account.daily_limit))}
          </SummaryTile>
        )}
        <SummaryTile title={texts.keys} figure={count(active)} href="/account/keys">
          {texts.activeKeyCount(active)}
        </SummaryTile>
        {mode !== 'private' && (
          <SummaryTile title={texts.scans} figure={count(scans.balance)} href="/account/scans">
            {scans.trial_pending ? texts.plus25FreeScans : texts.scansLeft}
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
      <h2 id="first-steps">{texts.firstSteps}</h2>
      <ol className="steps">
        <li className={hasKey ? 'done' : ''}>
          <div>
            <h3>
              {texts.createAKey} {hasKey && <span className="tag good">{texts.done}</span>}
            </h3>
            <p className="soft">{texts.sendTheKeyWithEachRequest}</p>
            {!hasKey && (
              <Link className="button main" href="/account/keys?new">
                {texts.createKey}
              </Link>
            )}
          </div>
        </li>
        <li>
          <div>
            <h3>{texts.tryIt}</h3>
            <p className="soft">{texts.replaceTheKey}</p>
            <CopyButton noun="request" text={sampleRequest('YOUR_KEY')} />
          </div>
        </li>
        <li>
          <div>
            <h3>{texts.buildSomething}</h3>
            <p className="soft">
              {texts.tryAllEndpointsInTheBrowser({
                docs: (text) => <a href="/docs">{text}</a>,
                identify: (text) => <Link href="/identify">{text}</Link>,
              })}
            </p>
          </div>
        </li>
      </ol>
    </section>
  )
}

function OverviewSkeleton() {
  return (
    <div className="stack" role="status" aria-label={texts.loading}>
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
