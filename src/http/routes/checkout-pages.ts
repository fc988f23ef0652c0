import type { Elysia } from 'elysia'
import { getBilling, getCheckoutDetails } from '#actions/billing/get-billing.ts'
import type { Deps } from '#deps.ts'
import type { ResponseHeaders } from '../endpoint/headers.ts'
import { createSessionGate } from '../endpoint/session-gate.ts'
import { queryParams } from '../input/validation.ts'
import type { MetricsRegistry } from '../metrics/registry.ts'
import { billingPage, faultPage, loginPage, nothingSoldPage } from '../pages/billing-page.ts'
import { checkoutPage, noCheckoutPage } from '../pages/checkout-page.ts'
import { type HtmlPage, pageHeaders, renderPage } from '../pages/layout.ts'

type Answer = { status: number; page: HtmlPage }

/** The pages on which people read what they buy, and what they have bought. */
export function checkoutPages(
  app: Elysia,
  deps: Deps,
  { meter, headers: make, requestId }: Surroundings,
): void {
  const { sessionOf } = createSessionGate(deps)
  const { billing } = deps.config
  const contact = billing.provider === 'manual' ? billing.contact : undefined

  /** Whoever knows the id was given it: it cannot be guessed. */
  async function checkout(id: string): Promise<Answer> {
    const told = await getCheckoutDetails(deps, id)
    if (told === undefined) return { status: 404, page: noCheckoutPage() }
    return { status: 200, page: checkoutPage(told, contact) }
  }

  async function overview(request: Request): Promise<Answer> {
    if (billing.provider === 'off') return { status: 404, page: nothingSoldPage() }
    const isBack = queryParams(request)?.get('checkout') === 'done'
    const session = await sessionOf(request)
    if (session === undefined) return { status: 401, page: loginPage(isBack) }
    const { account_id: id, email, tier } = session
    const told = await getBilling(deps, { id, email, tier })
    return { status: 200, page: billingPage(told, billing, isBack) }
  }

  function mount(path: string, ask: (request: Request, id: string) => Promise<Answer>): void {
    const count = meter.endpoint(`GET ${path}`)
    async function answer(request: Request, id: string): Promise<Response> {
      const started = performance.now()
      const own = requestId()
      const { status, page } = await ask(request, id).catch((error): Answer => {
        deps.log.error('request failed', { request_id: own, error })
        return { status: 500, page: faultPage(own) }
      })
      count(status, performance.now() - started)
      const text = request.method === 'HEAD' ? null : renderPage(page)
      return new Response(text, { status, headers: pageHeaders(make, own) })
    }
    app.get(path, ({ request, params }) => answer(request, idIn({ ...params })), HIDDEN)
    app.head(path, ({ request, params }) => answer(request, idIn({ ...params })), HIDDEN)
  }

  mount('/checkout/:id', (_, id) => checkout(id))
  mount('/billing', overview)
}

type Surroundings = { meter: MetricsRegistry; headers: ResponseHeaders; requestId: () => string }

function idIn(params: object): string {
  return 'id' in params && typeof params.id === 'string' ? params.id : ''
}

const HIDDEN = { detail: { hide: true } }
