/** The service as the server described it when this page was loaded. */
export type ServiceState = {
  mode: 'private' | 'community' | 'business'
  registration: 'open' | 'invite' | 'closed'
  /** Part of the setup that comes next. */
  setup: 'account' | 'choices' | 'finished'
  /** `off`: nothing is for sale. */
  billing: 'off' | 'manual' | 'stripe'
  /** Currencies in which prices can be shown. */
  currencies: readonly string[]
}

/** Reads the description in the head of the page (`src/http/routes/dashboard.ts` writes it). */
export function readServiceState(): ServiceState {
  const text = document.querySelector<HTMLMetaElement>('meta[name="cardstock-service"]')?.content
  const words = (text ?? 'community open finished off USD').split(' ')
  const [mode, registration, setup, billing, ...currencies] = words
  // The server writes these words only.
  return { mode, registration, setup, billing, currencies } as ServiceState
}
