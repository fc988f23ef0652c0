/** The part of the API document that Swagger UI needs changed. */
type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: object
}
type Operation = {
  security: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: object }>
}
type Schema = { properties?: Record<string, Schema>; required?: string[]; anyOf?: Schema[] } & {
  const?: unknown
  enum?: string[]
}

/** Adapts the API document to Swagger UI: it sends to the page's own origin, and only what a browser can send. */
export function swaggerDocument(json: string): object {
  // The text is our own document.
  const { paths, components, ...rest } = JSON.parse(json, simplified) as ApiDocument
  for (const operation of Object.values(paths).flatMap(Object.values<Operation>)) adapt(operation)
  const securitySchemes = { key: KEY }
  // The content security policy of the page does not allow PUBLIC_URL, which may be another origin.
  return { ...rest, servers: [{ url: '/' }], components: { ...components, securitySchemes }, paths }
}

const KEY = {
  type: 'apiKey',
  in: 'header',
  name: 'X-API-Key',
  description:
    'An API key, `tcg_live_…`. It is forgotten when you close or reload this page. To create one here, execute `POST /v1/auth/register`, `POST /v1/auth/login`, then `POST /v1/keys`.',
}

/** Turns unions of words into an enum, which is shown as a menu, and removes patterns, which are only noise. */
function simplified(name: string, value: unknown): unknown {
  if (name === 'pattern' && typeof value === 'string') return undefined
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, const: word, ...rest }: Schema = value
  if (typeof word === 'string') return { ...rest, type: 'string', enum: [word] }
  const words = anyOf?.flatMap((one) => one.enum ?? [])
  if (words === undefined || words.length !== anyOf?.length) return value
  return { ...rest, type: 'string', enum: words }
}

function adapt(operation: Operation): void {
  // The browser sends the session cookie by itself; a page cannot set it.
  operation.security = operation.security.filter((scheme) => 'key' in scheme)
  const form = operation.requestBody?.content['multipart/form-data']?.schema
  // Swagger UI would send its examples of optional fields. They can be sent in the query instead.
  for (const name of Object.keys(form?.properties ?? {})) {
    if (!form?.required?.includes(name)) delete form?.properties?.[name]
  }
  // All errors have the same schema: it is shown once.
  const errors = Object.entries(operation.responses).filter(([status]) => status >= '400')
  for (const [, response] of errors.slice(1)) delete response.content
}
