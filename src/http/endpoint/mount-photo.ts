import { ANSWER_DEADLINE_SECONDS } from '#rules/photos/scans.ts'
import { PAID_RESPONSE_SECONDS_MAX } from '#rules/x402/payment-timeouts.ts'
import {
  PHOTO_MAX_BYTES,
  photoBodyMaxBytes,
  photoContent,
  readPhotoBody,
} from '../input/photo-body.ts'
import type { ReserveBytes } from '../input/read-body.ts'
import { fieldReader, queryParams } from '../input/validation.ts'
import { addScanBalance, type EndpointContext, NO_FIELDS } from './endpoint-context.ts'
import type { Endpoints } from './endpoints.ts'

/** Returns the function that mounts the endpoint of a photo, which an account's scan or a payment pays. */
export function createPhotoMount(shared: EndpointContext): Endpoints['photo'] {
  const { app, deps, document, pipeline, authenticators, responses } = shared
  const { clientAddress, offer, uploads } = shared

  return function mountPhoto(path, spec) {
    const options = fieldReader(spec.options)
    const names = Object.keys(spec.options)

    async function readPhoto(request: Request, reserve: ReserveBytes, seconds: number) {
      const body = await readPhotoBody(request, names, reserve)
      // The server closes connections that are idle for 30 s; a photo may take longer.
      app.server?.timeout(request, seconds)
      const inQuery = queryParams(request) ?? []
      // An option in both places is refused like one that is twice in the query.
      return { photo: body.photo, options: options.query([...inQuery, ...body.options]) }
    }

    pipeline.mount({
      method: 'POST',
      path,
      cors: 'public or trusted',
      detail: document.add({
        ...spec,
        method: 'POST',
        access: 'key or payment',
        params: fieldReader(NO_FIELDS).schema,
        query: options.schema,
        body: photoContent(options.schema),
      }),
      authenticate: authenticators.photoPayment,
      async respond(context, payer) {
        const { request } = context
        const { account_id } = payer
        const address = clientAddress(request)
        await spec.accept({ payer, request, clientAddress: address })
        const isPaid = account_id === undefined
        const body = { account_id, address, bytesMax: photoBodyMaxBytes(PHOTO_MAX_BYTES) }
        // The photo is held while it waits for the reader.
        return uploads.hold(
          request,
          isPaid ? { ...body, busyCode: 'PAYMENT_UNAVAILABLE' } : body,
          async (reserve) => {
            const seconds = isPaid ? PAID_RESPONSE_SECONDS_MAX : ANSWER_DEADLINE_SECONDS
            const read = await readPhoto(request, reserve, seconds)
            return responses.noStore(
              context,
              await spec.answer({ ...read, payer, request, clientAddress: address }),
            )
          },
        )
      },
      async finish(context, response) {
        if (context.error !== undefined) offer.addTo(response.headers, context.error)
        await addScanBalance(deps, context, response)
      },
    })
  }
}
