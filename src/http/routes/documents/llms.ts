import type { Elysia } from 'elysia'
import type { Deps } from '#deps.ts'
import { transportSecurity } from '../../endpoint/headers.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../../endpoint/static-file.ts'
import { documentTitle, listGuides } from '../../pages/guides.ts'
import type { Server } from '../../server.ts'

/** Serves `/llms.txt` (llmstxt.org): all endpoints and guides, for language models. */
export function llmsRoutes(
  { pipeline, app }: Server,
  { config: { publicUrl } }: Pick<Deps, 'config'>,
): void {
  const headers = {
    'cache-control': 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
    ...transportSecurity(publicUrl),
  }
  let file: StaticFile | undefined

  pipeline.mountPage('/llms.txt', (request) => {
    // On the first request, after every endpoint is mounted.
    file ??= createStaticFile(TEXT, renderLlms(publicUrl, listEndpoints(app)))
    return sendStaticFile(request, file, headers)
  })
}

const TEXT = 'text/plain; charset=utf-8'

type ListedEndpoint = { name: string; tag: string; summary: string }

/** Lists the endpoints in the order of the API document. */
function listEndpoints(app: Elysia): ListedEndpoint[] {
  return app.routes.flatMap(({ method, path, hooks }) => {
    const { summary, tags: [tag] = [], hide } = hooks?.detail ?? {}
    if (summary === undefined || tag === undefined || hide === true) return []
    return [{ name: `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`, tag, summary }]
  })
}

function renderLlms(publicUrl: string, endpoints: readonly ListedEndpoint[]): string {
  const sections = Map.groupBy(endpoints, ({ tag }) => tag)
  const lists = [...sections].map(([tag, listed]) => {
    const links = listed.map(
      ({ name, summary }) =>
        `- [${name}](${publicUrl}/docs#/${encodeURIComponent(tag)}): ${summary}.`,
    )
    return `## ${tag}\n\n${links.join('\n')}\n`
  })
  const guides = [...listGuides()].map(
    ([name, path]) => `- [${documentTitle(path)}](${publicUrl}/guides/${name}.md)`,
  )
  return `${introduction(publicUrl)}\n## Guides\n\n${guides.join('\n')}\n\n${lists.join('\n')}`
}

function introduction(publicUrl: string): string {
  return `# Cardstock

> Catalog and prices of trading cards: games, sets, cards, a price for each printing, price history, top
> movers, search, bulk lookups, identification of a card from one photo, price alerts.

The API is at ${publicUrl}/v1. Send an API key in the header \`X-API-Key\` or
as \`Authorization: Bearer\`. Responses are JSON with \`data\`,
optional \`meta\`, and \`rate_limit\`. An error is \`{"error": {"code", "message"}}\`; the message states the remedy.
Prices are in US dollars; null means unknown.

## Documents

- [OpenAPI document](${publicUrl}/openapi.json): every endpoint with its parameters and responses
- [API reference to read and try](${publicUrl}/docs)
- [MCP server at ${publicUrl}/mcp](${publicUrl}/guides/mcp): the catalog as tools, with the same API key
`
}
