/** The parts of the API document that are changed for Swagger UI. */
type ApiDocument = {
  security: Record<string, unknown>[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, { content?: object }> }
}
type Operation = {
  /** Read by the code samples. */
  'x-session'?: true
  security?: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Schema = { $ref?: string; properties?: Record<string, Schema>; required?: string[] }

/**
 * Adapts the API document to Swagger UI, which sends requests to the page's own origin, and only with headers that a
 * browser can set.
 */
export function swaggerDocument(json: string): object {
  // The text is this server's own document.
  const { paths, components, security, ...rest } = JSON.parse(json, withoutPatterns) as ApiDocument
  for (const operation of Object.values(paths).flatMap(Object.values<Operation>)) {
    // The browser sends the session cookie automatically; a page cannot set it.
    if (operation.security !== undefined) {
      const keys = operation.security.filter(isKey)
      if (keys.length < operation.security.length && keys.length === 0)
        operation['x-session'] = true
      operation.security = keys
    }
    const form = operation.requestBody?.content['multipart/form-data']?.schema
    if (form !== undefined) keepRequired(components.schemas[form.$ref?.split('/').at(-1) ?? ''])
  }
  // All errors have the same format: it is shown once.
  for (const [name, response] of Object.entries(components.responses)) {
    if (name !== 'BadRequest') delete response.content
  }
  const securitySchemes = { key: KEY }
  // The page's content security policy does not allow PUBLIC_URL, which may be another origin.
  return {
    ...rest,
    servers: [{ url: '/' }],
    security: security.filter(isKey),
    components: { ...components, securitySchemes },
    paths,
  }
}

function isKey(scheme: Record<string, unknown>): boolean {
  return 'key' in scheme
}

const KEY = {
  type: 'apiKey',
  in: 'header',
  name: 'X-API-Key',
  description:
    'An API key, `tcg_live_…`. It is forgotten when you close or reload this page. Without one, requests have the session of your login.',
}

/** Removes patterns, which are only noise. */
function withoutPatterns(name: string, value: unknown): unknown {
  return name === 'pattern' && typeof value === 'string' ? undefined : value
}

/** Swagger UI would send its examples of optional form fields. They can be sent in the query instead. */
function keepRequired(form: Schema | undefined): void {
  for (const name of Object.keys(form?.properties ?? {})) {
    if (!form?.required?.includes(name)) delete form?.properties?.[name]
  }
}
