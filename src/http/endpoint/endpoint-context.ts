import type { TProperties as Fields, TSchema } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import type { UsageCounter } from '#actions/accounts/record-usage.ts'
import type { Deps } from '#deps.ts'
import { remainingScans } from '#rules/photos/scans.ts'
import type { BodySource } from '../input/body-source.ts'
import type { ReserveBytes } from '../input/read-body.ts'
import { fieldReader, queryParams } from '../input/validation.ts'
import type { ApiDocument } from '../openapi/document.ts'
import type { Authenticators } from './authenticators.ts'
import type { EndpointSpec, RequestInput } from './endpoint-spec.ts'
import type { DeclaredInput } from './endpoints.ts'
import type { PaymentOffer } from './payment-offer.ts'
import type { PathParams, Pipeline } from './pipeline.ts'
import type { PrincipalQuota } from './quota.ts'
import type { RequestContext } from './request-context.ts'
import type { Responses } from './responses.ts'
import type { UploadMemory } from './upload-memory.ts'

/** Parts of the server that mount endpoints of every kind. */
export type EndpointContext = {
  app: Elysia
  deps: Deps
  document: ApiDocument
  pipeline: Pipeline
  authenticators: Authenticators
  responses: Responses
  quota: PrincipalQuota
  usage: UsageCounter
  clientAddress: (request: Request) => string
  offer: PaymentOffer
  uploads: UploadMemory
  /** Parameters and bodies that endpoints declare, by method and path. */
  declared: Map<string, DeclaredInput>
}

/** A specification of any endpoint with these parameters. */
export type AnySpec<P extends Fields, Q extends Fields> = Omit<
  EndpointSpec<P, Q, TSchema, TSchema>,
  'entryId'
> & { entryId?: string }

/** Reads the path and the query as an endpoint declares them. */
export function inputReader<P extends Fields, Q extends Fields>(spec: { params?: P; query?: Q }) {
  const params = fieldReader(spec.params ?? (NO_FIELDS as P))
  const query = fieldReader(spec.query ?? (NO_FIELDS as Q))
  return {
    schemas: { params: params.schema, query: query.schema },
    /** @param unknown receives the names of other parameters in the query */
    read: (request: Request, inPath: PathParams, unknown?: string[]): RequestInput<P, Q> => ({
      params: params.path(inPath),
      query: query.query(queryParams(request), unknown),
    }),
  }
}

/** Parameters of an endpoint without any. */
export const NO_FIELDS = {}

/** Reserves the memory of a body until `use` has answered it. */
export function holdBody<Result>(
  { uploads, clientAddress }: Pick<EndpointContext, 'uploads' | 'clientAddress'>,
  { request, principal }: RequestContext,
  { bytesMax }: Pick<BodySource<unknown>, 'bytesMax'>,
  use: (reserve: ReserveBytes) => Promise<Result>,
): Promise<Result> {
  const account_id = principal && 'account_id' in principal ? principal.account_id : undefined
  return uploads.hold(request, { account_id, address: clientAddress(request), bytesMax }, use)
}

/** Returns a value that the authenticator of the endpoint has set. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the endpoint was reached without authentication')
  return value
}

/** Adds the scan balance to the response of a known account; keeps the one of the answer. */
export async function addScanBalance(
  deps: Pick<Deps, 'ledger' | 'log'>,
  { principal }: RequestContext,
  { headers }: Response,
): Promise<void> {
  if (principal === undefined || !('account_id' in principal)) return
  // Another photo may have taken a scan since the answer.
  if (headers.has('x-scans-remaining')) return
  try {
    const account = await deps.ledger.accounts.getScans(principal.account_id)
    headers.set('x-scans-remaining', String(remainingScans(account)))
  } catch (error) {
    // The response itself says what failed, if anything did.
    deps.log.warn('scan balance not added', { error })
  }
}
