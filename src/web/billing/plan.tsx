import type { Offers, PlanOffer, Usage } from '#client/endpoints.ts'
import * as texts from '#texts/billing/plan.ts'
import { useOffers, useUsage } from '../accounts/queries.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton, Skeleton } from '../components/skeleton.tsx'
import { type AsyncAction, useAction } from '../hooks/use-action.ts'
import { type CheckoutItem, openBillingPortal, openCheckout } from './checkout.ts'
import {
  planFeatures,
  planName,
  subscriptionTag,
  subscriptionText,
  usdOfCents,
} from './plan-text.ts'

/** Shows the current plan and the plans for sale. */
export function PlanView() {
  const usage = useUsage()
  const offers = useOffers()
  return (
    <Page title={texts.plan} lead={texts.planLead}>
      <QueryError query={usage} />
      {!usage.isError && <QueryError query={offers} />}
      {(usage.isPending || offers.isPending) && <PlanSkeleton />}
      {usage.data !== undefined && offers.data !== undefined && (
        <Plans usage={usage.data.data} offers={offers.data.data} />
      )}
    </Page>
  )
}

function Plans({ usage, offers }: { usage: Usage; offers: Offers }) {
  const ordering = useAction(openCheckout)
  const { account, subscription } = usage
  // Manually billed plans do not renew, so the current one can be bought again.
  const isRenewable = offers.provider === 'manual' && subscription.current_period_end !== null
  return (
    <div className="stack">
      <Current usage={usage} provider={offers.provider} />
      <FormError error={ordering.error} />
      <ul className="plans" aria-label={texts.plans}>
        {offers.plans.map((offer) => (
          <PlanCard
            key={offer.plan}
            offer={offer}
            isCurrent={offer.plan === account.tier}
            isAvailable={offer.plan !== account.tier || isRenewable}
            checkout={ordering}
          />
        ))}
      </ul>
      <p className="small soft">{texts.historyOfPlans}</p>
      {offers.provider === 'manual' && <p className="small soft">{texts.manualPlans}</p>}
    </div>
  )
}

function Current({ usage, provider }: { usage: Usage; provider: Offers['provider'] }) {
  const { account, subscription } = usage
  const managing = useAction(openBillingPortal)
  const status = subscriptionTag(subscription)
  const isPaid = subscription.plan !== 'free'
  return (
    <section className="panel" aria-labelledby="current">
      <div className="section-head">
        <div>
          <h2 id="current" className="row">
            {planName(account.tier)}
            {status !== undefined && <span className={`tag ${status[0]}`}>{status[1]}</span>}
          </h2>
          <p className="soft">{subscriptionText(subscription)}</p>
        </div>
        <div className="row">
          {isPaid && provider === 'stripe' && (
            <Button action={managing}>{texts.manageSubscription}</Button>
          )}
          <a className="button" href="/billing">
            {texts.payments}
          </a>
        </div>
      </div>
      <FormError error={managing.error} />
    </section>
  )
}

type PlanCardProps = {
  offer: PlanOffer
  isCurrent: boolean
  isAvailable: boolean
  checkout: AsyncAction<[item: CheckoutItem]>
}

function PlanCard({ offer, isCurrent, isAvailable, checkout }: PlanCardProps) {
  const { plan, name } = offer
  return (
    <li className={isCurrent ? 'panel plan current' : 'panel plan'}>
      <h3>{name}</h3>
      <p className="plan-price">
        {usdOfCents(offer.price_cents)}
        <span>{plan === 'free' ? texts.forever : texts.perMonth}</span>
      </p>
      <ul className="features">
        {planFeatures(offer).map(({ text, isKept }) => (
          <li key={text} className={isKept ? 'included' : 'missing'}>
            {!isKept && <span className="visually-hidden">{texts.notIncluded} </span>}
            {text}
          </li>
        ))}
      </ul>
      {isCurrent && <p className="plan-current">{texts.yourPlan}</p>}
      {plan !== 'free' && isAvailable && (
        <Button
          className={plan === 'pro' && !isCurrent ? 'main wide' : 'wide'}
          isBusy={checkout.isRunning}
          onClick={() => void checkout.start(plan)}
          aria-label={isCurrent ? texts.payForAnotherMonthOf(name) : texts.chooseNamed(name)}
        >
          {isCurrent ? texts.payForAnotherMonth : texts.choose}
        </Button>
      )}
    </li>
  )
}

function PlanSkeleton() {
  return (
    <div className="stack">
      <LineSkeleton count={2} />
      <div className="plans" aria-hidden="true">
        {['free', 'hobby', 'starter', 'pro', 'business'].map((plan) => (
          <div key={plan} className="panel plan">
            <Skeleton height="24rem" />
          </div>
        ))}
      </div>
    </div>
  )
}
