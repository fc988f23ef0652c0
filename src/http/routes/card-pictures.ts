import { createHash } from 'node:crypto'
import type { TProperties } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import { createImageServer, type ImageSubject } from '#actions/catalog/serve-image.ts'
import type { Deps } from '#deps.ts'
import { PICTURE_SIZES } from '#rules/catalog/image-sizes.ts'
import { errorResponse, toPublicError } from '../endpoint/envelope.ts'
import { matchesEtag } from '../endpoint/headers.ts'
import { type EndpointContext, withoutBody } from '../endpoint/key-endpoints.ts'
import { ID, line, stringEnum } from '../input/fields.ts'
import { type FieldReader, fieldReader, queryParams } from '../input/validation.ts'

/** The pictures of cards, sets and games at addresses of our own: pages ask nobody else for them. */
export function cardPictureRoutes(app: Elysia, deps: Deps, surroundings: PageSurroundings): void {
  const { meter, headers: make, requestId } = surroundings
  const { get } = createImageServer(deps)
  // Not among the requests: when the pictures' host is down, nobody here is to be woken.
  const count = meter.counter('cardstock_pictures_total', COUNTED, 'status')
  const query = fieldReader({
    size: stringEnum(PICTURE_SIZES, { default: 'large', description: SIZE }),
  })

  function mount<P extends TProperties>(
    path: string,
    params: FieldReader<P>,
    subjectOf: (fields: ReturnType<FieldReader<P>['path']>) => ImageSubject,
  ): void {
    async function picture(request: Request, fields: PathFields): Promise<Response> {
      const subject = subjectOf(params.path(fields))
      const { size } = query.query(queryParams(request))
      const bytes = await get(subject, size)
      const tag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
      const headers = make.plain('public')
      for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value)
      headers.set('etag', tag)
      const isKnown = matchesEtag(request.headers.get('if-none-match'), tag)
      return new Response(isKnown ? null : bytes, { status: isKnown ? 304 : 200, headers })
    }

    async function answer(request: Request, fields: PathFields): Promise<Response> {
      const id = requestId()
      const response = await picture(request, fields).catch((thrown) =>
        errorResponse(toPublicError(deps.log, id, thrown), undefined, make.plain('unkept')),
      )
      response.headers.set('x-request-id', id)
      count(String(response.status))
      return response
    }

    app.get(path, ({ request, params: fields }) => answer(request, { ...fields }), HIDDEN)
    app.head(
      path,
      async ({ request, params: fields }) => withoutBody(await answer(request, { ...fields })),
      HIDDEN,
    )
  }

  const id = fieldReader({ id: ID })
  mount('/pictures/cards/:id', id, (fields) => ({ kind: 'card', id: fields.id }))
  mount('/pictures/sets/:id', id, (fields) => ({ kind: 'set', id: fields.id }))
  const slug = fieldReader({ slug: line({ description: 'Of the game.' }) })
  mount('/pictures/games/:slug', slug, (fields) => ({ kind: 'game', slug: fields.slug }))
}

type PageSurroundings = Pick<EndpointContext, 'meter' | 'headers' | 'requestId'>

type PathFields = Record<string, string | null>

const COUNTED = 'Pictures of cards, sets and games that were asked for, by status.'

const SIZE = 'At most 160 pixels wide, or 480.'

const HEADERS = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=86400',
  'cross-origin-resource-policy': 'same-origin',
}

const HIDDEN = { detail: { hide: true } }
