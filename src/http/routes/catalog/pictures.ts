import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { TProperties } from '@sinclair/typebox'
import { createImageServer, type ImageSubject } from '#actions/catalog/serve-image.ts'
import type { Deps } from '#deps.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { PICTURE_SIZES } from '#rules/catalog/picture-url.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { matchesEtag } from '../../endpoint/headers.ts'
import { ID, line, stringEnum } from '../../input/fields.ts'
import { type FieldReader, fieldReader, queryParams } from '../../input/validation.ts'
import type { Server } from '../../server.ts'

const FOLDER = join(import.meta.dir, '../../../../data/sample/pictures')

/** Pictures of the sample catalog, and the operator's logos. Pictures of a real catalog are on the marketplace. */
export function pictureRoutes({ pipeline }: Server, { catalog }: Pick<Deps, 'catalog'>): void {
  pipeline.mountPage('/pictures/:file', async (_, { file = '' }) => {
    // File names are product IDs, so no other file can be read.
    const picture = /^\d{1,15}\.webp$/.test(file) ? Bun.file(join(FOLDER, file)) : undefined
    if (picture === undefined || !(await picture.exists())) {
      throw new ServiceError('NOT_FOUND', 'Picture not found.')
    }
    return new Response(picture, { headers: HEADERS })
  })
  pipeline.mountPage('/pictures/logos/:file', (request, { file = '' }) => sendLogo(request, file))
  pipeline.mountPage('/pictures/logos/sets/:file', (request, { file = '' }) =>
    sendLogo(request, `sets/${file}`),
  )

  /** Only listed files can be read. Their URLs in responses change with their content. */
  async function sendLogo(request: Request, file: string): Promise<Response> {
    const logo = catalog.logos.find(file)
    const picture = logo === undefined ? undefined : Bun.file(logo.path)
    if (logo === undefined || picture === undefined || !(await picture.exists())) {
      throw new ServiceError('NOT_FOUND', 'Logo not found.')
    }
    const etag = `"${logo.version}"`
    const headers = { ...HEADERS, 'content-type': logo.type, etag }
    if (matchesEtag(request.headers.get('if-none-match'), etag)) {
      return new Response(null, { status: 304, headers })
    }
    return new Response(await picture.bytes(), { headers })
  }
}

const HEADERS = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Serves pictures of cards, sets and games, because pages load pictures only from this origin. */
export function cardPictureRoutes(
  { pipeline, metrics, headers: templates, clientAddress }: Server,
  deps: Deps,
): void {
  const images = createImageServer(deps)
  const count = metrics.counter(
    'cardstock_pictures_total',
    'Requests for pictures of cards, sets and games, by status.',
    'status',
  )
  const query = fieldReader({
    size: stringEnum(PICTURE_SIZES, 'Maximum width: 160 or 480 pixels.', 'large'),
  })

  /** Responds that a page should show a placeholder and try again. */
  function pending(id: string): Response {
    const headers = templates.plain('noStore')
    for (const [name, value] of Object.entries(PENDING)) headers.set(name, value)
    headers.set('x-request-id', id)
    return new Response(null, { status: 202, headers })
  }

  function mount<P extends TProperties>(
    path: string,
    params: FieldReader<P>,
    subjectOf: (fields: ReturnType<FieldReader<P>['path']>) => ImageSubject,
  ): void {
    pipeline.mountPage(
      path,
      async (request, inPath, { id }) => {
        const subject = subjectOf(params.path(inPath))
        const { size } = query.query(queryParams(request))
        const client = clientNetwork(clientAddress(request))
        const bytes = prefersAsync(request)
          ? await images.getStored(subject, size, client)
          : await images.get(subject, size, client)
        if (bytes === undefined) return pending(id)
        const tag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
        const headers = templates.plain('public')
        headers.delete('vary')
        for (const [name, value] of Object.entries(PICTURE_HEADERS)) headers.set(name, value)
        headers.delete('vary')
        headers.set('etag', tag)
        headers.set('x-request-id', id)
        const isKnown = matchesEtag(request.headers.get('if-none-match'), tag)
        return new Response(isKnown ? null : bytes, { status: isKnown ? 304 : 200, headers })
      },
      {
        // Not counted as a request, because an unavailable image host must not look like a failing service.
        label: null,
        finish: (_, { status }) => count(String(status)),
      },
    )
  }

  const id = fieldReader({ id: ID })
  mount('/pictures/cards/:id', id, (fields) => ({ kind: 'card', id: fields.id }))
  mount('/pictures/sets/:id', id, (fields) => ({ kind: 'set', id: fields.id }))
  const slug = fieldReader({ slug: line({ description: 'Slug of the game.' }) })
  mount('/pictures/games/:slug', slug, (fields) => ({ kind: 'game', slug: fields.slug }))
}

/** Returns true for a client that wants 202 instead of waiting (RFC 7240, section 4.1). */
function prefersAsync({ headers }: Request): boolean {
  const preferences = headers.get('prefer')?.toLowerCase().split(/[,;]/) ?? []
  return preferences.some((preference) => preference.trim() === 'respond-async')
}

const PENDING = {
  'cross-origin-resource-policy': 'same-origin',
  'preference-applied': 'respond-async',
  // Most images are fetched and resized within a second.
  'retry-after': '1',
}

const PICTURE_HEADERS = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=86400',
  'cross-origin-resource-policy': 'same-origin',
}
