import type { Static, TNever, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Feature } from '#rules/accounts/tiers.ts'
import type { BodySource } from '../input/body-source.ts'
import type { PhotoPayer } from './authenticators.ts'
import type { Download } from './download.ts'
import type { JsonText } from './envelope.ts'
import type { Tag } from './openapi.ts'
import type { Principal } from './request-context.ts'

export type NoFields = Record<never, never>

/** Everything that an endpoint declares. Its schemas check requests, type answers and document both. */
export type EndpointSpec<
  P extends TProperties,
  Q extends TProperties,
  R extends TSchema,
  M extends TSchema,
> = {
  tag: Tag
  summary: string
  description?: string
  params?: P
  query?: Q
  /** Describes the response in the API document: `The card.` */
  returns: string
  /** Schema of `data`; undefined if the endpoint only sends files. */
  reply?: R
  /** Schema of `meta`, if there is one. */
  meta?: M
  /** Status of a success; default 200. */
  status?: 200 | 201 | 202
  /** Media types of the files that may be sent instead of JSON. */
  files?: readonly string[]
  /** Whether a part of such a file can be requested. */
  acceptsRanges?: true
  /** Describes further refusals, by status. */
  refusals?: Readonly<Record<number, string>>
}

/**
 * A value that renders to JSON of type `T`: lists may be read-only, and optional members undefined, which
 * JSON omits.
 */
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
  data: Renderable<Static<R>> | JsonText<Static<R>>
  /** Distinguishes representations of one catalog version, such as the history depth of a tier. */
  variant?: string
  /** Further response headers. */
  headers?: readonly (readonly [name: string, value: string])[]
} & ([M] extends [TNever] ? { meta?: undefined } : { meta: Renderable<Static<M>> })

export type RequestInput<P extends TProperties, Q extends TProperties> = {
  params: Static<TObject<P>>
  query: Static<TObject<Q>>
}

/** Input of endpoints that know the client: its address, and the JSON body. */
export type AccountInput<
  P extends TProperties,
  Q extends TProperties,
  B extends TProperties,
> = RequestInput<P, Q> & { body: Static<TObject<B>>; clientAddress: string }

/**
 * A valid request with its price. It is computed before the charge, and may refuse the request;
 * `answer` runs after the charge.
 */
export type MeteredAnswer<R extends TSchema, M extends TSchema> = {
  /** Price in requests of the daily quota, at least 1. */
  credits: number
  answer(): FileOrJson<R, M> | Promise<FileOrJson<R, M>>
}

type FileOrJson<R extends TSchema, M extends TSchema> = JsonAnswer<R, M> | Download

type Spec<
  P extends TProperties,
  Q extends TProperties,
  R extends TSchema,
  M extends TSchema,
> = EndpointSpec<P, Q, R, M>

export type PublicSpec<
  P extends TProperties,
  Q extends TProperties,
  R extends TSchema,
  M extends TSchema,
> = Spec<P, Q, R, M> & { answer(input: RequestInput<P, Q>): JsonAnswer<R, M> }

export type KeySpec<
  P extends TProperties,
  Q extends TProperties,
  R extends TSchema,
  M extends TSchema,
> = Spec<P, Q, R, M> & {
  answer(input: RequestInput<P, Q> & { principal: Principal }): FileOrJson<R, M>
}

export type MeteredSpec<
  P extends TProperties,
  Q extends TProperties,
  R extends TSchema,
  M extends TSchema,
> = Spec<P, Q, R, M> & {
  plan(input: RequestInput<P, Q> & { principal: Principal }): MeteredAnswer<R, M>
}

export type PostSpec<
  P extends TProperties,
  Q extends TProperties,
  R extends TSchema,
  M extends TSchema,
  Body,
> = Spec<P, Q, R, M> & {
  body: BodySource<Body>
  plan(
    input: RequestInput<P, Q> & { principal: Principal; body: Body },
  ): MeteredAnswer<R, M> | Promise<MeteredAnswer<R, M>>
}

/** Endpoint for browsers or accounts; `Who` is what its authenticator found. */
export type AccountSpec<
  P extends TProperties,
  Q extends TProperties,
  B extends TProperties,
  R extends TSchema,
  M extends TSchema,
  Who,
> = Spec<P, Q, R, M> & {
  /** Properties of the JSON body; undefined: a body is ignored. */
  body?: B
  /** Require at least one of the optional members of the body. */
  needsOne?: true
  answer(input: AccountInput<P, Q, B> & Who): Promise<JsonAnswer<R, M>>
}

/** Requirements of an endpoint for sessions. */
export type SessionRequirements = {
  /** Feature that the tier of the account must include. */
  needs?: Feature
  /** Whether the account must be marked as operator. */
  operator?: true
}

export type PhotoSpec<O extends TProperties, R extends TSchema, M extends TSchema> = Spec<
  NoFields,
  NoFields,
  R,
  M
> & {
  /** Options, in the query or beside the photo. */
  options: O
  answer(input: {
    photo: Uint8Array
    options: Static<TObject<O>>
    payer: PhotoPayer
    request: Request
  }): Promise<JsonAnswer<R, M>>
}
