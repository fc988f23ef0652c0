import { Link } from 'wouter'
import { readServiceState } from '../service-state.ts'

/** Link to the plans. If nothing is for sale, a hint to ask the operator. */
export function PlansLink({ className }: { className?: string }) {
  if (readServiceState().billing === 'off') return <>Ask the operator of this server for more.</>
  return (
    <Link className={className} href="/account/plan">
      See plans
    </Link>
  )
}
