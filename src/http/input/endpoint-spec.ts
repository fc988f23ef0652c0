import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Download } from '../endpoint/download.ts'
import type { JsonAnswer } from '../endpoint/envelope.ts'
import type { Principal } from '../endpoint/quota.ts'

/** What an endpoint declares: who may ask, what a request may carry, and the one call that answers. */
export type EndpointSpec<P extends TProperties, Q extends TProperties> = {
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  /** The shape of `data`, for the API document; none where only files are answered. */
  reply?: TSchema
  /** The media types of the files that may be answered. */
  files?: readonly string[]
  /** Whether any part of such a file may be asked for. */
  inParts?: true
  /** The shape of `meta`, where there is one. */
  meta?: TSchema
}

export type RequestInput<P extends TProperties, Q extends TProperties> = {
  params: Static<TObject<P>>
  query: Static<TObject<Q>>
}

export type PublicSpec<P extends TProperties, Q extends TProperties> = EndpointSpec<P, Q> & {
  answer(requestInput: RequestInput<P, Q>): JsonAnswer
}

export type KeyedSpec<P extends TProperties, Q extends TProperties> = EndpointSpec<P, Q> & {
  answer(requestInput: RequestInput<P, Q> & { caller: Principal }): JsonAnswer | Download
}

export type MeteredSpec<P extends TProperties, Q extends TProperties> = EndpointSpec<P, Q> & {
  plan(requestInput: RequestInput<P, Q> & { caller: Principal }): MeteredAnswer
}

export type BodySpec<P extends TProperties, Q extends TProperties, Body> = EndpointSpec<P, Q> & {
  body: BodySource<Body>
  plan(
    requestInput: RequestInput<P, Q> & { caller: Principal; body: Body },
  ): MeteredAnswer | Promise<MeteredAnswer>
}

/**
 * What a request comes to when it is well formed. It is made before the request is charged, and
 * refuses what may not be asked for; `answer` is called once it is paid.
 */
export type MeteredAnswer = {
  /** What it costs of the day's quota, at least 1. */
  credits: number
  answer(): JsonAnswer | Download | Promise<JsonAnswer | Download>
}

/** How a request's body is read, and what the API document says of it. */
export type BodySource<Body> = {
  /** Its shape by media type. */
  content: Readonly<Record<string, TSchema>>
  /** @throws ServiceError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or VALIDATION_ERROR */
  read(request: Request): Promise<Body>
}
