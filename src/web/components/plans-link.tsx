import { Link } from 'wouter'
import * as texts from '#texts/frame.ts'
import { readServiceState } from '../service-state.ts'

/** Link to the plans. If nothing is for sale, a hint to ask the operator. */
export function PlansLink({ className }: { className?: string }) {
  if (readServiceState().billing === 'off') return <>{texts.operatorHasMore}</>
  return (
    <Link className={className} href="/account/plan">
      {texts.seePlans}
    </Link>
  )
}
