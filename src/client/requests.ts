import type { paths } from './endpoints.ts'

/** Calls the endpoints of a method. */
export type Call<M extends ClientMethod> = <Path extends MethodPath<M>>(
  path: Path,
  ...[input]: RequestArguments<ApiRequest<M, Path>>
) => Promise<ApiResponse<M, Path>>

/** Methods of the API. */
export type ClientMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Endpoint in the API document. */
type AnyOperation = {
  parameters: { path?: unknown; query?: unknown }
  requestBody?: unknown
  responses: unknown
}

type Operation<M extends ClientMethod, Path extends keyof paths> = Extract<
  paths[Path][Lowercase<M>],
  AnyOperation
>

/** Paths that support a method, in the notation of the API document. */
export type MethodPath<M extends ClientMethod> = {
  [Path in keyof paths]: [Operation<M, Path>] extends [never] ? never : Path
}[keyof paths]

/** Body of an endpoint's response. */
export type ApiResponse<M extends ClientMethod, Path extends MethodPath<M>> = ResponseOf<
  Operation<M, Path>['responses']
>

type ResponseOf<Responses> = Content<Responses[keyof Responses]>

/** Input of an endpoint. Required parts are required, and unknown parts do not compile. */
export type ApiRequest<M extends ClientMethod, Path extends MethodPath<M>> = FieldParts<
  Operation<M, Path>['parameters']
> &
  BodyPart<Operation<M, Path>> & { signal?: AbortSignal | undefined }

type FieldParts<Parts> = {
  [Part in keyof Parts as Part & ('path' | 'query')]: Fields<Parts[Part]>
}

type BodyPart<O> = {
  [Part in keyof O as Part extends 'requestBody' ? 'body' : never]: Content<O[Part]>
}

/** Type of a body in any of its formats. A form is sent as FormData. */
type Content<Body> = Body extends { content: infer Formats }
  ? {
      [Format in keyof Formats]: Format extends 'multipart/form-data' ? FormData : Formats[Format]
    }[keyof Formats]
  : undefined

/** Accepts lists for `ids`, and undefined for optional parameters. */
type Fields<Given> = {
  [Name in keyof Given]:
    | Given[Name]
    | (Name extends 'ids' ? readonly number[] : never)
    | (Empty extends Pick<Given, Name> ? undefined : never)
}

type Empty = Record<never, never>

/** Arguments of a call: the input can be left out if all of its parts are optional. */
export type RequestArguments<Input> = Empty extends Input ? [input?: Input] : [input: Input]
