import type { TProperties as Fields, Static, TArray, TObject, TSchema } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import type { Feature } from '#rules/accounts/tiers.ts'
import type { VisitorFeature, Volume } from '#rules/accounts/visitors.ts'
import type { HeaderName } from '../openapi/headers.ts'
import type { Download } from './download.ts'
import type { JsonBody, JsonText } from './envelope.ts'
import type { Include } from './included-members.ts'
import type { Principal } from './request-context.ts'

/** Groups of endpoints, as the API document shows them. */
export const TAGS = {
  Games: 'Games and their sets.',
  Sets: 'Sets, their cards and their prices.',
  Cards: 'Single cards with their current prices and price history.',
  Search: 'Full-text search across cards and sealed products.',
  Prices: 'Price movers.',
  Bulk: 'Many cards in one request, and the whole catalog as files.',
  Service: 'Published version and freshness of the data.',
  Identify: 'Cards identified from a photo, and the scans that this costs.',
  Scanning:
    'Scan sessions: lists that grow photo by photo, to be reviewed, exported and added to collections.',
  Account: 'Registration, login and sessions.',
  Keys: 'API keys and their usage.',
  Payments: 'Plans, packs of scans and checkouts.',
  Collections: 'Collections and wish lists with their value, and links that share them.',
  Alerts:
    'Price alerts of people with their notifications, and webhooks for programs with their deliveries.',
  Operator: 'Status of the service, for operators.',
}

/** Describes an endpoint in the API document. */
export type EndpointDocs = {
  /** Name of the operation, which generated clients use for their function: `getCardPrices`. */
  id: string
  tag: keyof typeof TAGS
  summary: string
  description?: string
  /** Describes the response: `The card.` */
  returns: string
  /** Status of a success; default 200. */
  status?: 200 | 201 | 202
  /** Media types of the files that may be sent instead of JSON. */
  files?: readonly string[]
  /** Set if a range of such a file can be requested. */
  acceptsRanges?: true
  /** Describes further refusals, by status. */
  refusals?: Readonly<Record<number, string>>
  /** Headers of a success besides the usual ones. */
  headers?: readonly HeaderName[]
}

/** Declares an endpoint. Its schemas check requests, type the answers and document both. */
export type EndpointSpec<
  P extends Fields,
  Q extends Fields,
  R extends TSchema,
  M extends TSchema,
> = EndpointDocs & {
  params?: P
  query?: Q
  /** Schema of `data`; undefined if the endpoint only sends files. */
  reply?: R
  /** Schema of `meta`, if there is one. */
  meta?: M
  /** Adds the parameters `currency` and `source`, which choose the prices of the catalog that answers. */
  hasPrices?: true
  /** Adds the parameter `fields` to a list: entries keep the named members, and this one in any case. */
  entryId?: R extends TArray<infer Entry extends TObject>
    ? keyof Entry['properties'] & string
    : never
  /** Adds the parameter `include`: members that are added to the cards and prices of the answer. */
  includes?: readonly Include[]
}

/** Requirements of an endpoint for sessions. */
export type SessionRequirements = {
  /** Feature that the tier of the account must include. */
  needs?: Feature
  /** Set if the account must be marked as operator. */
  operator?: true
}

// A type parameter that nothing declares is inferred as its constraint.
type Declared<F extends Fields> = Fields extends F ? Record<never, never> : Static<TObject<F>>

export type RequestInput<P extends Fields, Q extends Fields> = {
  params: Declared<P>
  query: Declared<Q>
}

/** Input of endpoints that charge quota. */
export type CatalogInput<P extends Fields, Q extends Fields> = RequestInput<P, Q> & {
  principal: Principal
  /** The catalog with the prices that the request chooses, if the endpoint has prices. */
  view: Deps['catalog']
  /** Members that the request asks for; JSON answers get them without the endpoint. */
  includes: readonly Include[]
}

/** Input of endpoints for accounts. */
export type AccountInput<P extends Fields, Q extends Fields, B extends Fields> = RequestInput<
  P,
  Q
> & {
  body: Declared<B>
  clientAddress: string
  /** The header of that name. */
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

/** JSON answer that matches the schemas of its endpoint: any other does not compile. */
export type JsonAnswer<R extends TSchema, M extends TSchema> = {
  data: TSchema extends R ? never : Renderable<Static<R>> | JsonText<Static<R>>
} & Pick<JsonBody, 'variant' | 'headers'> &
  (TSchema extends M ? { meta?: undefined } : { meta: Renderable<Static<M>> })

/**
 * Answer of an endpoint of the catalog. One that visitors can use states the volume of each answer: an
 * answer without it does not compile.
 */
export type CatalogAnswer<
  R extends TSchema,
  M extends TSchema,
  F extends Feature,
> = F extends VisitorFeature ? JsonAnswer<R, M> & { volume: Volume } : JsonAnswer<R, M> | Download

/** A valid request with its price, which is computed before the charge; `answer` runs after it. */
export type MeteredAnswer<R extends TSchema, M extends TSchema, F extends Feature> = {
  /** Price in requests of the daily quota, at least 1. */
  credits: number
  answer(): CatalogAnswer<R, M, F> | Promise<CatalogAnswer<R, M, F>>
}
