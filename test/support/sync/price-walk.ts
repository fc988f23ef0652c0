import { SMALL_SETS, type Upstream } from './upstream-fixture.ts'

/**
 * Sets the prices of the small upstream on its nth day: some printings vanish for days, have no price, fall below a
 * dollar, or have sales and a name with entities.
 */
export function pricesOn(upstream: Upstream, nth: number): void {
  for (const [, set] of SMALL_SETS) {
    for (let card = set * 10; card < set * 10 + 3; card++) {
      const step = (nth * 7 + card * 3) % 23
      upstream.setPrice(card, 'Normal', CENTS[step % CENTS.length] ?? null)
      if (step < 4) upstream.removePrinting(card, 'Holofoil')
      else upstream.setPrice(card, 'Holofoil', 4 + step / 100)
      upstream.setPrice(card, 'Cold &amp; &amp;amp; Foil', step % 5 === 0 ? null : 3 + step)
      const sold = { averageSalesPrice: 1 + step / 10, salesVolume: step }
      Object.assign(upstream.row(card), step % 2 === 0 ? sold : {})
    }
  }
}

const CENTS = [0.4, 1.25, null, 2, 0.99, 7.5]
