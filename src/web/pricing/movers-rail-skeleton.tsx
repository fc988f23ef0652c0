import * as texts from '#texts/frame.ts'
import { MoverSkeleton } from '../components/skeleton.tsx'

/** Number of risers, and of fallers, on the home page. */
export const MOVERS_OF_RAIL = 5

/** Placeholder of the movers on the home page, with their height. */
export function MoversRailSkeleton() {
  return (
    <section aria-hidden="true">
      <div className="rail-head">
        <h2>{texts.todaysMovers}</h2>
      </div>
      <div className="mover-columns">
        {[texts.rising, texts.falling].map((name) => (
          <section key={name}>
            <h3>{name}</h3>
            <MoverSkeleton count={MOVERS_OF_RAIL} />
          </section>
        ))}
      </div>
    </section>
  )
}
