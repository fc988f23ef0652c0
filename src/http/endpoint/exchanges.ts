import { type TProperties, Type } from '@sinclair/typebox'
import type { UsageCounter } from '#actions/accounts/record-usage.ts'
import { createPriceChooser } from '#actions/pricing/choose-prices.ts'
import type { Deps } from '#deps.ts'
import { remainingScans } from '#rules/photos/scans.ts'
import type { JsonForm } from '#store/catalog/card-store.ts'
import { NotesMetaSchema } from '../schemas/members.ts'
import { after } from './after.ts'
import { type AnswerOptions, applyOptions, createOptionReaders } from './answer-options.ts'
import type { Declaration } from './declaration.ts'
import { createMemberIncluder } from './included-members.ts'
import type { PaymentOffer } from './payment-offer.ts'
import type { Route } from './pipeline.ts'
import type { RequestContext } from './request-context.ts'
import type { Answer, Responses } from './responses.ts'

/** Reads an endpoint's requests beyond its fields, and sends its answers. */
export type Exchange<Read> = {
  route: Pick<Route<never>, 'cors' | 'isPrivate' | 'isCompressible' | 'label' | 'finish'>
  /** Parameters of the endpoint, with those of its options. */
  query: TProperties
  meta: Declaration['meta']
  /** @param unknown names of parameters that the endpoint does not have */
  read(context: RequestContext, query: object, unknown: readonly string[]): Read & { query: object }
  send(context: RequestContext, read: Read, answer: Answer): Response | Promise<Response>
}

/** Opens the exchange of a declared endpoint. */
type OpenExchange<Read> = (
  declaration: Declaration & { entryId?: string },
  place: { method: string; path: string },
) => Exchange<Read>

/** Members of a catalog request besides its fields. */
export type CatalogRead = {
  view: Deps['catalog']
  includes: AnswerOptions['includes']
  /** Form of data that a store can return as text. */
  form: JsonForm
  options: AnswerOptions
  /** Tag of the catalog that answers. */
  tag: string
}

/** Creates the exchanges of endpoints of the catalog, whose responses are cached, compressed and may cost quota. */
export function createCatalogExchanges(
  deps: Deps,
  { responses, usage }: { responses: Responses; usage: UsageCounter },
): OpenExchange<CatalogRead> {
  const createOptionReader = createOptionReaders()
  const choosePrices = createPriceChooser(deps)
  const includeMembers = createMemberIncluder(deps)

  return (declaration, { method, path }) => {
    const reader = createOptionReader(declaration)
    const countUsage = usage.group(declaration.tag.toLowerCase())
    return {
      query: reader.query,
      meta: declaration.meta ?? Type.Optional(NotesMetaSchema),
      route: {
        label: path,
        cors: 'public',
        isCompressible: true,
        finish({ principal, quota, credits }, _, status) {
          // A refunded 5xx does not count as usage.
          const isUse = credits > 0 && quota !== undefined && status < 500
          if (isUse && principal?.kind === 'key') countUsage(principal, quota)
        },
      },
      read(_, sent, unknown) {
        const { query, options } = reader.read(sent, unknown)
        // Read before the answer: a publication in between may make the answer newer than its tag, but never older.
        const { tag } = deps.catalog.publication.getCurrent()
        const view = choosePrices(options.prices)
        return {
          query,
          view,
          includes: options.includes,
          form: options.members === undefined && options.includes.length === 0 ? 'text' : 'object',
          options,
          tag: addView(tag, view),
        }
      },
      send: (context, { options, tag }, answer) =>
        after(receiveVolume(context, answer), () => {
          const complete = applyOptions(includeMembers(answer, options.includes), options)
          return method === 'GET'
            ? responses.cacheable(context, tag, complete)
            : responses.noStore(context, complete, declaration.status)
        }),
    }
  }
}

/** Adds the view of the prices to the tag of a catalog. */
function addView(tag: string, { view }: Deps['catalog']): string {
  return view === undefined ? tag : `${tag}-${view.variant}`
}

/** @throws ServiceError RATE_LIMIT_EXCEEDED if a visitor has received too much data today */
function receiveVolume({ principal }: RequestContext, answer: Answer): void | Promise<void> {
  if (principal?.kind !== 'page' || !('volume' in answer)) return
  if (answer.volume !== undefined) return principal.quotaAccount.receive(answer.volume)
}

/** Members of an account's request besides its fields. */
export type AccountRead = { request: Request; clientAddress: string; userAgent: string | null }

type AccountParts = {
  responses: Responses
  clientAddress: (request: Request) => string
  offer: PaymentOffer
}

/** Creates the exchanges of endpoints for accounts, whose responses are neither cached nor compressed. */
export function createAccountExchanges(
  deps: Pick<Deps, 'ledger' | 'log'>,
  { responses, clientAddress, offer }: AccountParts,
): OpenExchange<AccountRead> {
  return ({ auth, hasScans, query = {}, meta, status }) => {
    const isOpen = auth === 'account' || auth === 'payer'
    return {
      query,
      meta,
      route: {
        cors: isOpen ? 'public or trusted' : 'trusted',
        isPrivate: !isOpen,
        finish(context, { headers }) {
          if (auth === 'payer' && context.error !== undefined) offer.addTo(headers, context.error)
          if (hasScans) return addScanBalance(deps, context, headers)
        },
      },
      read: ({ request }, query) => ({
        query,
        request,
        clientAddress: clientAddress(request),
        userAgent: request.headers.get('user-agent'),
      }),
      send: (context, _, answer) => responses.noStore(context, answer, status),
    }
  }
}

/** Adds the scan balance to the response of a known account, unless the answer already has it. */
async function addScanBalance(
  { ledger, log }: Pick<Deps, 'ledger' | 'log'>,
  { principal }: RequestContext,
  headers: Headers,
): Promise<void> {
  if (principal === undefined || principal.kind === 'page') return
  // Another photo may have used a scan since the answer.
  if (headers.has('x-scans-remaining')) return
  try {
    const account = await ledger.accounts.getScans(principal.account_id)
    headers.set('x-scans-remaining', String(remainingScans(account)))
  } catch (error) {
    // The response is sent without the balance.
    log.warn('scan balance not added', { error })
  }
}
