import type {
  TProperties as Fields,
  Static,
  TArray,
  TObject,
  TOptional,
  TSchema,
} from '@sinclair/typebox'
import type { ApiKeyPrincipal } from '#actions/accounts/authenticate-api-key.ts'
import type { PagePrincipal } from '#actions/accounts/authorize-page-request.ts'
import type { SessionPrincipal } from '#actions/accounts/manage-sessions.ts'
import type { Deps } from '#deps.ts'
import type { Feature } from '#rules/accounts/tiers.ts'
import type { VisitorFeature, Volume } from '#rules/accounts/visitors.ts'
import type { JsonForm } from '#store/catalog/card-store.ts'
import type { UploadFile } from '#store/files/upload-files.ts'
import type { BodySource, StoredBodySource } from '../input/read-body.ts'
import type { HeaderName } from '../openapi/headers.ts'
import type { Download } from './download.ts'
import type { JsonBody, JsonText } from './envelope.ts'
import type { Include } from './included-members.ts'
import type { Method } from './pipeline.ts'
import type { PaymentPrincipal } from './request-context.ts'

/** Groups of endpoints, as the API document shows them. */
export const TAGS = {
  Games: 'Games and their sets.',
  Sets: 'Sets, their cards and their prices.',
  Cards: 'Single cards with their prices.',
  Search: 'Full-text search across cards and sealed products.',
  Prices: 'Price movers.',
  Bulk: 'Many cards in one request, and the whole catalog as files.',
  Service: 'Published version and freshness of the data.',
  Identify: 'Cards identified from a photo.',
  Scanning: 'Lists that grow photo by photo, to be reviewed, exported and added to collections.',
  Account: 'Registration, login and sessions.',
  Keys: 'API keys and their usage.',
  Payments: 'Plans, packs of scans and checkouts.',
  Collections: 'Collections and wish lists, and links that share them.',
  Alerts: 'Price alerts for people, and webhooks for programs.',
  Operator: 'Status of the service, for operators.',
}

/** Principals of requests, by who may call the endpoint. */
export type Principals = {
  /** Everyone. Responses to an API key state its quota. */
  anyone: undefined
  /** API keys and the dashboard. */
  key: ApiKeyPrincipal | PagePrincipal
  /** Everyone; with the browser's session if there is one. */
  'optional session': SessionPrincipal | undefined
  session: SessionPrincipal
  /** Sessions of operators. */
  operator: SessionPrincipal
  /** Accounts, by API key or session. */
  account: ApiKeyPrincipal | SessionPrincipal
  /** Accounts, and payments for single photos. */
  payer: ApiKeyPrincipal | SessionPrincipal | PaymentPrincipal
}

export type Auth = keyof Principals

/** Method and path of an endpoint: `GET /v1/cards/:id`. */
export type EndpointName = `${Method} /${string}`

/** Declares an endpoint. Its schemas check requests, type the answers and document both. */
export type Declaration = {
  /** Access: who may call it. */
  auth: Auth
  /** Feature that the tier of the caller must include. */
  needs?: Feature
  /**
   * Price in requests of the daily quota, charged for valid requests; `counted` if `respond` charges. Without it, the
   * endpoint is free.
   */
  cost?: number | 'counted'
  /** Name of the operation, which generated clients use for their function: `getCardPrices`. */
  id: string
  tag: keyof typeof TAGS
  summary: string
  description?: string
  params?: Fields
  query?: Fields
  /** Without it, bodies are ignored. */
  body?: BodySource<unknown> | StoredBodySource
  /** Adds the parameters `currency` and `source`, which choose the prices in the answer. */
  hasPrices?: true
  /** Adds the parameter `include`: members that are added to the cards and prices of the answer. */
  includes?: readonly Include[]
  /** Adds the scan balance to each response. */
  hasScans?: true
  /** Describes further refusals, by status. */
  refusals?: Readonly<Record<number, string>>
  /** Describes the response: `The card.` */
  returns: string
  /** Status of a success; default 200. */
  status?: 200 | 201 | 202
  /** Schema of `data`; undefined if the endpoint only sends files. */
  reply?: TSchema
  /** Schema of `meta`, if there is one. */
  meta?: TSchema
  /** Media types of the files that may be sent instead of JSON. */
  files?: readonly string[]
  /** Set if a range of such a file can be requested. */
  acceptsRanges?: true
  /** Headers of a success in addition to the usual ones. */
  headers?: readonly HeaderName[]
}

/** Functions of an endpoint, typed by its declaration. */
type Behavior<D extends Declaration> = {
  /** Adds the parameter `fields` to a list: entries keep the named members, and always this one. */
  entryId?: D['reply'] extends TArray<infer Entry extends TObject>
    ? keyof Entry['properties'] & string
    : never
  /** Rejects a valid request before its body is read and its price charged. */
  accept?(request: Omit<RequestOf<D>, 'body'>): void | Promise<void>
  /**
   * Maximum time until the response, during which the connection stays open; by default the server closes connections
   * that are idle for 30 s.
   */
  secondsMax?: number | ((principal: Principals[D['auth']]) => number)
  respond(request: RequestOf<D>): AnswerOf<D> | Promise<AnswerOf<D>>
}

/** Registers an endpoint of the API. */
export type Endpoint = <D extends Declaration>(
  name: EndpointName,
  declaration: { [K in keyof D]: D[K] } & {
    [K in Exclude<keyof D, keyof Declaration | keyof Behavior<D>>]: never
  } & Behavior<D>,
) => void

/** Valid request to an endpoint. */
export type RequestOf<D extends Declaration> = {
  params: ValuesOf<D['params']>
  query: ValuesOf<D['query']>
  body: D['body'] extends StoredBodySource
    ? UploadFile
    : D['body'] extends BodySource<infer Body>
      ? Body
      : undefined
  principal: Principals[D['auth']]
} & (D['auth'] extends CatalogAuth ? CatalogRequest : AccountRequest) &
  (D['cost'] extends 'counted' ? { charge: Charge } : unknown)

type ValuesOf<F> = F extends Fields ? Static<TObject<F>> : Record<never, never>

/** Charges a request. @throws ServiceError RATE_LIMIT_EXCEEDED */
export type Charge = (credits: number) => void | Promise<void>

/** Access to the catalog, whose responses can be cached. */
type CatalogAuth = 'anyone' | 'key'

export function isCatalogAuth(auth: Auth): auth is CatalogAuth {
  return auth === 'anyone' || auth === 'key'
}

type CatalogRequest = {
  /** The catalog with the prices that the request chooses, if the endpoint has prices. */
  view: Deps['catalog']
  /** Additional members named in the request. JSON answers get them automatically. */
  includes: readonly Include[]
  /** Form of data that a store can return as text: objects if the request adds or selects members. */
  form: JsonForm
}

type AccountRequest = {
  request: Request
  clientAddress: string
  /** `User-Agent` header. */
  userAgent: string | null
}

/** Renders to JSON of type `T`: lists may be read-only, and optional members undefined. */
type Renderable<T> = T extends readonly (infer Item)[]
  ? readonly Renderable<Item>[]
  : T extends object
    ? {
        readonly [K in keyof T]: Record<never, never> extends Pick<T, K>
          ? Renderable<T[K]> | undefined
          : Renderable<T[K]>
      }
    : T

/**
 * Answer that matches the schemas of its endpoint; any other does not compile. An endpoint open to visitors must
 * state the volume of each answer.
 */
export type AnswerOf<D extends Declaration> =
  | (JsonAnswer<D['reply'], D['meta']> &
      (D extends { auth: 'key'; needs: VisitorFeature } ? { volume: Volume } : unknown))
  | (D extends { files: readonly string[] } ? Download : never)

export type JsonAnswer<Reply, Meta> = {
  data: Reply extends TSchema ? Renderable<Static<Reply>> | JsonText<Static<Reply>> : never
} & Pick<JsonBody, 'variant' | 'headers'> &
  (Meta extends TSchema
    ? Meta extends TOptional<Meta>
      ? { meta: Renderable<Static<Meta>> | undefined }
      : { meta: Renderable<Static<Meta>> | JsonText<Static<Meta>> }
    : { meta?: undefined })
