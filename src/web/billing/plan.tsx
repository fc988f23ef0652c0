import type { Offers, PlanOffer, Usage } from '#client/endpoints.ts'
import { useOffers, useUsage } from '../accounts/queries.ts'
import { BusyButton } from '../components/busy-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton, Skeleton } from '../components/skeleton.tsx'
import { usdOfCents } from '../format.ts'
import { type AsyncAction, useAction } from '../hooks/use-action.ts'
import { type CheckoutItem, openBillingPortal, openCheckout } from './checkout.ts'
import { planFeatures, planName, subscriptionTag, subscriptionText } from './plan-text.ts'

/** The plan that an account has, and those that it could have. */
export function PlanView() {
  const usage = useUsage()
  const offers = useOffers()
  return (
    <Page title="Plan" lead="By the month. Every key of yours has it from its next request on.">
      {usage.state === 'failed' && <ErrorMessage error={usage.error} again={usage.again} />}
      {usage.state !== 'failed' && offers.state === 'failed' && (
        <ErrorMessage error={offers.error} again={offers.again} />
      )}
      {(usage.state === 'loading' || offers.state === 'loading') && <PlanSkeleton />}
      {usage.state === 'ready' && offers.state === 'ready' && (
        <Plans usage={usage.data.data} offers={offers.data.data} />
      )}
    </Page>
  )
}

function Plans({ usage, offers }: { usage: Usage; offers: Offers }) {
  const ordering = useAction(openCheckout)
  const { account, subscription } = usage
  const isSold = offers.provider !== 'off'
  // What the operator is paid for does not renew by itself.
  const renewed = offers.provider === 'manual' && subscription.current_period_end !== null
  return (
    <div className="stack">
      <Current usage={usage} provider={offers.provider} />
      <FormError error={ordering.error} />
      <ul className="plans" aria-label="Plans">
        {offers.plans.map((offer) => (
          <PlanCard
            key={offer.plan}
            offer={offer}
            isCurrent={offer.plan === account.tier}
            isAvailable={isSold && (offer.plan !== account.tier || renewed)}
            checkout={ordering}
          />
        ))}
      </ul>
      {offers.provider === 'manual' && (
        <p className="small soft">
          A plan is paid by the month and does not renew by itself. A dearer one begins when it is
          paid, and what is left of the old one counts; a cheaper one begins when the old one ends.
        </p>
      )}
    </div>
  )
}

function Current({ usage, provider }: { usage: Usage; provider: Offers['provider'] }) {
  const { account, subscription } = usage
  const managing = useAction(openBillingPortal)
  const status = subscriptionTag(subscription)
  const isHeld = subscription.plan !== 'free'
  return (
    <section className="panel" aria-labelledby="current">
      <div className="section-head">
        <div>
          <h2 id="current" className="row">
            {planName(account.tier)}
            {status !== undefined && <span className={`tag ${status[0]}`}>{status[1]}</span>}
          </h2>
          <p className="soft">
            {provider === 'off' && !isHeld
              ? 'Nothing is sold here: ask whoever runs this service for another plan.'
              : subscriptionText(subscription)}
          </p>
        </div>
        {provider !== 'off' && (
          <div className="row">
            {isHeld && provider === 'stripe' && (
              <BusyButton isBusy={managing.isRunning} onClick={() => void managing.start()}>
                Manage subscription
              </BusyButton>
            )}
            <a className="button" href="/billing">
              Payments
            </a>
          </div>
        )}
      </div>
      <FormError error={managing.error} />
    </section>
  )
}

type PlanCardProps = {
  offer: PlanOffer
  isCurrent: boolean
  /** Whether it can be ordered now. */
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
        <span>{plan === 'free' ? 'for good' : 'a month'}</span>
      </p>
      <ul className="promises">
        {planFeatures(offer).map(({ text, isKept }) => (
          <li key={text} className={isKept ? 'kept' : 'missing'}>
            {!isKept && <span className="unseen">Not included: </span>}
            {text}
          </li>
        ))}
      </ul>
      {isCurrent && <p className="plan-yours">Your plan</p>}
      {plan !== 'free' && isAvailable && (
        <BusyButton
          className={plan === 'pro' && !isCurrent ? 'main wide' : 'wide'}
          isBusy={checkout.isRunning}
          onClick={() => void checkout.start(plan)}
          aria-label={isCurrent ? `Pay another month of ${name}` : `Choose ${name}`}
        >
          {isCurrent ? 'Pay another month' : 'Choose'}
        </BusyButton>
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
