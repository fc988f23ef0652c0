import { useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'
import { ApiError } from '../api.ts'
import { DOLLARS } from '../numbers.ts'
import { readServiceState } from '../service-state.ts'
import { readStored, writeStored } from '../stored-text.ts'

const STORAGE_KEY = 'cardstock.currency'

let stored = readCurrency()
/** Currencies that the server had when the page was loaded. */
let available: readonly string[] = readServiceState().currencies
const listeners = new Set<() => void>()

// Another tab has changed it.
addEventListener('storage', ({ key }: StorageEvent) => {
  if (key === STORAGE_KEY) change(readCurrency())
})

/** Returns the currency the currencies to choose from, and a function that chooses one. */
export function useCurrency() {
  const [query, setQuery] = useSearchParams()
  useSyncExternalStore(listen, () => stored)
  const choices = useSyncExternalStore(listen, () => available)
  return {
    currency: getPageCurrency(query),
    choices,
    choose(next: string): void {
      storeCurrency(next)
      if (!query.has('currency') && !hasBounds(query)) return
      const changed = new URLSearchParams(query)
      if (hasBounds(query) && next !== DOLLARS) changed.set('currency', next)
      else changed.delete('currency')
      setQuery(changed, { replace: true })
    },
  }
}

/**
 * Returns the currency of a page: that of its URL, otherwise the stored one. Price bounds without a currency are in
 * US dollars, so that a link means the same to everyone.
 */
export function getPageCurrency(query: URLSearchParams): string {
  const named = query.get('currency') ?? (hasBounds(query) ? DOLLARS : stored)
  return available.includes(named) ? named : DOLLARS
}

function hasBounds(query: URLSearchParams): boolean {
  return ['min_price', 'max_price'].some((name) => (query.get(name) ?? '') !== '')
}

/**
 * Sends a request for prices in a currency, or for US dollars if the server no longer has it.
 *
 * @param send gets the parameters of the choice: none for US dollars
 */
export async function inCurrency<T>(
  currency: string,
  send: (choice: { currency?: string }) => Promise<T>,
): Promise<T> {
  if (currency === DOLLARS) return send({})
  try {
    return await send({ currency })
  } catch (error) {
    if (!isUnknownCurrency(error)) throw error
    available = available.filter((one) => one !== currency)
    notify()
    return send({})
  }
}

function isUnknownCurrency(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400 && error.message.startsWith('"currency"')
}

function storeCurrency(currency: string): void {
  change(currency)
  writeStored(STORAGE_KEY, currency)
}

function readCurrency(): string {
  return readStored(STORAGE_KEY) ?? DOLLARS
}

function change(currency: string): void {
  stored = currency
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
