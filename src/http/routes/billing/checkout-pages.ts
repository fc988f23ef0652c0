import { getBilling, getCheckoutDetails } from '#actions/billing/get-billing.ts'
import type { Deps } from '#deps.ts'
import { queryParams } from '../../input/validation.ts'
import { billingDisabledPage, billingPage, errorPage, loginPage } from '../../pages/billing-page.ts'
import { checkoutNotFoundPage, checkoutPage } from '../../pages/checkout-page.ts'
import { type HtmlPage, pageHeaders, renderPage } from '../../pages/private-page.ts'
import type { Server } from '../../server.ts'

type PageAnswer = { status: number; page: HtmlPage }

/** HTML pages of a checkout, and of the billing of an account. */
export function checkoutPages({ pipeline, headers: templates, gate }: Server, deps: Deps): void {
  /** The ID is the authorization, because it cannot be guessed. */
  async function checkout(id: string): Promise<PageAnswer> {
    const details = await getCheckoutDetails(deps, id)
    if (details === undefined) return { status: 404, page: checkoutNotFoundPage() }
    const { billing } = deps.config
    const contact = billing.provider === 'manual' ? billing.contact : undefined
    return { status: 200, page: checkoutPage(details, contact) }
  }

  async function overview(request: Request): Promise<PageAnswer> {
    const { billing } = deps.config
    if (billing.provider === 'off') return { status: 404, page: billingDisabledPage() }
    const hasPaid = queryParams(request)?.get('checkout') === 'done'
    const session = await gate.findSession(request)
    if (session === undefined) return { status: 401, page: loginPage(hasPaid) }
    const { account_id: id, email, tier } = session
    const account = await getBilling(deps, { id, email, tier })
    return { status: 200, page: billingPage(account, billing, hasPaid) }
  }

  async function send({ status, page }: PageAnswer, requestId: string): Promise<Response> {
    const headers = pageHeaders(templates, requestId)
    return new Response(await renderPage(page), { status, headers })
  }

  function mount(
    path: string,
    answer: (request: Request, id: string) => Promise<PageAnswer>,
  ): void {
    pipeline.mountPage(
      path,
      async (request, { id = '' }, context) => send(await answer(request, id), context.id),
      { renderFailure: ({ id }) => send({ status: 500, page: errorPage(id) }, id) },
    )
  }

  mount('/checkout/:id', (_, id) => checkout(id))
  mount('/billing', overview)
}
