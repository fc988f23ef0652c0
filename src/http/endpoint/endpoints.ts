import type { TProperties as Fields, Static, TObject, TSchema } from '@sinclair/typebox'
import type { CollectionOwner } from '#actions/collections/manage-collections.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import type { Feature } from '#rules/accounts/tiers.ts'
import type { Session } from '#store/ledger/sessions.ts'
import type { BodySource } from '../input/body-source.ts'
import type { PhotoPayer } from './authenticators.ts'
import type { Download } from './download.ts'
import type {
  AccountInput,
  CatalogAnswer,
  CatalogInput,
  EndpointSpec,
  JsonAnswer,
  MeteredAnswer,
  RequestInput,
  SessionRequirements,
} from './endpoint-spec.ts'
import type { Method } from './pipeline.ts'

/** Schemas of what an endpoint of the catalog reads. */
export type DeclaredInput = {
  params: TObject
  query: TObject
  /** By media type; undefined if no body is read. */
  body: Readonly<Record<string, TSchema>> | undefined
}

/** Registers endpoints of the API; `spec` declares one and answers its requests. */
export type Endpoints = {
  /** Endpoints of the catalog and of accounts that are registered, by method and path: `GET /v1/cards/:id`. */
  declared: ReadonlyMap<string, DeclaredInput>
  /** GET for everyone. */
  getPublic<P extends Fields, Q extends Fields, R extends TSchema, M extends TSchema>(
    path: string,
    spec: EndpointSpec<P, Q, R, M> & { answer(input: RequestInput<P, Q>): JsonAnswer<R, M> },
  ): void
  /** GET for API keys and the dashboard whose tier includes a feature. Costs one request. */
  get<
    P extends Fields,
    Q extends Fields,
    R extends TSchema,
    M extends TSchema,
    const F extends Feature,
  >(
    path: string,
    feature: F,
    spec: EndpointSpec<P, Q, R, M> & {
      answer(input: CatalogInput<P, Q>): CatalogAnswer<R, M, F> | Promise<CatalogAnswer<R, M, F>>
    },
  ): void
  /** Like `get`, but validates before charging quota. */
  getMetered<
    P extends Fields,
    Q extends Fields,
    R extends TSchema,
    M extends TSchema,
    const F extends Feature,
  >(
    path: string,
    feature: F,
    spec: EndpointSpec<P, Q, R, M> & { plan(input: CatalogInput<P, Q>): MeteredAnswer<R, M, F> },
  ): void
  /** Like `getMetered`, for POST with a body. */
  post<
    Body,
    P extends Fields,
    Q extends Fields,
    R extends TSchema,
    M extends TSchema,
    const F extends Feature,
  >(
    path: string,
    feature: F,
    spec: EndpointSpec<P, Q, R, M> & {
      body: BodySource<Body>
      plan(
        input: CatalogInput<P, Q> & { body: Body },
      ): MeteredAnswer<R, M, F> | Promise<MeteredAnswer<R, M, F>>
    },
  ): void
  /** For everyone, with the session of the browser if there is one. */
  optionalSession: RegisterAccount<{ session: Session | undefined }>
  /** For logged-in users. */
  session: RegisterAccount<{ session: Session; quota: Quota }, SessionRequirements, Download>
  /** For accounts, by API key or session. Costs nothing; responses tell the scan balance. */
  apiKeyOrSession: RegisterAccount<{ account_id: number }>
  /** Like `apiKeyOrSession`, without the scan balance. An answer may be a file. */
  account: RegisterAccount<CollectionOwner, unknown, Download>
  /** Like `account`, for POST of a file. */
  accountUpload<Body, P extends Fields, Q extends Fields, R extends TSchema, M extends TSchema>(
    path: string,
    spec: EndpointSpec<P, Q, R, M> & {
      upload: BodySource<Body>
      /** Longest time until the response: the server closes connections that are idle for 30 s. */
      secondsMax: number
      answer(
        input: Omit<AccountInput<P, Q, Fields>, 'body'> & CollectionOwner & { body: Body },
      ): Promise<JsonAnswer<R, M>>
    },
  ): void
  /** POST of a photo of several cards, paid by an account. Options are in the query or beside the photo. */
  pagePhoto<P extends Fields, O extends Fields, R extends TSchema, M extends TSchema>(
    path: string,
    spec: EndpointSpec<P, Fields, R, M> & {
      options: O
      /** Longest time until the response: the server closes connections that are idle for 30 s. */
      secondsMax: number
      /** Rejects a request before its photo is uploaded. */
      accept(
        input: Pick<RequestInput<P, Fields>, 'params'> & {
          account_id: number
          request: Request
          clientAddress: string
        },
      ): Promise<void>
      answer(
        input: Pick<RequestInput<P, Fields>, 'params'> & {
          account_id: number
          photo: Uint8Array
          options: Static<TObject<O>>
          request: Request
          clientAddress: string
        },
      ): Promise<JsonAnswer<R, M>>
    },
  ): void
  /** POST of a photo, paid by an account or by itself. Options are in the query or beside the photo. */
  photo<O extends Fields, R extends TSchema, M extends TSchema>(
    path: string,
    spec: EndpointSpec<Fields, Fields, R, M> & {
      options: O
      /** Rejects a request before its photo is uploaded. */
      accept(input: Pick<PhotoInput<O>, 'payer' | 'request' | 'clientAddress'>): Promise<void>
      answer(input: PhotoInput<O>): Promise<JsonAnswer<R, M>>
    },
  ): void
}

/** Registers an endpoint that costs no quota; `Who` is what its authenticator found. */
type RegisterAccount<Who, More = unknown, File = never> = <
  P extends Fields,
  Q extends Fields,
  B extends Fields,
  R extends TSchema,
  M extends TSchema,
>(
  method: Method,
  path: string,
  spec: EndpointSpec<P, Q, R, M> &
    BodySpec<B> &
    More & { answer(input: AccountInput<P, Q, B> & Who): Promise<JsonAnswer<R, M> | File> },
) => void

export type BodySpec<B extends Fields> = {
  /** Properties of the JSON body; undefined: a body is ignored. */
  body?: B
  /** Requires at least one of the optional members of the body. */
  needsOne?: true
  /** Maximum length of the body; default 16 KiB. */
  bodyBytesMax?: number
}

type PhotoInput<O extends Fields> = {
  photo: Uint8Array
  options: Static<TObject<O>>
  payer: PhotoPayer
  request: Request
  clientAddress: string
}
