import { Link, useLocation, useSearch } from 'wouter'
import * as texts from '#texts/alerts/alerts.ts'
import { AccountFrame } from '../accounts/account.tsx'
import { Page } from '../components/page.tsx'
import { HowMade } from '../pricing/how-made.tsx'
import { ChannelList } from './channel-list.tsx'
import { NotificationList } from './notification-list.tsx'
import { PriceAlertList } from './price-alert-list.tsx'

/** Shows the notifications, the price alerts and the channels of the account. */
export function AlertsPage() {
  const [, go] = useLocation()
  const page = Number(new URLSearchParams(useSearch()).get('page') ?? 1)
  return (
    <AccountFrame>
      <Page
        title={texts.alerts}
        lead={texts.alertsLead((text) => <Link href="/account/alerts">{text}</Link>)}
      >
        <div className="stack">
          <NotificationList
            page={page}
            onPage={(next) => go(next === 1 ? '/alerts' : `/alerts?page=${next}`)}
          />
          <PriceAlertList />
          <HowMade of={['market-price']} />
          <ChannelList />
        </div>
      </Page>
    </AccountFrame>
  )
}
