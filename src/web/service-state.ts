/** The service as the server described it when this page was loaded. */
export type ServiceState = {
  mode: 'private' | 'community' | 'business'
  registration: 'open' | 'invite' | 'closed'
  /** Next part of the setup. */
  setup: 'account' | 'choices' | 'finished'
  /** `off` if nothing is for sale. */
  billing: 'off' | 'manual' | 'stripe'
  /** Currencies in which prices can be shown. */
  currencies: readonly string[]
  /** Sources beside the mirror that have prices in a currency of their own, by currency. */
  nativeSources: Readonly<Record<string, string>>
  /** All sources beside the mirror. */
  sources: readonly string[]
}

/** Reads the description in the head of the page (`src/http/routes/documents/dashboard.ts` writes it). */
export function readServiceState(): ServiceState {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="cardstock-service"]')
  const words = (meta?.content ?? 'community open finished off USD').split(' ')
  const [mode, registration, setup, billing, ...choices] = words
  const pairs = choices.map((choice) => choice.split(':'))
  const currencies = pairs.map(([currency]) => currency)
  const nativeSources = Object.fromEntries(pairs.filter(([, source]) => source !== undefined))
  const sources = (meta?.dataset.sources ?? '').split(' ').filter((source) => source !== '')
  // The server writes these words only.
  return { mode, registration, setup, billing, currencies, nativeSources, sources } as ServiceState
}
