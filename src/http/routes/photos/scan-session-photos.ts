import { Type } from '@sinclair/typebox'
import { chooseCurrency } from '#actions/collections/choose-currency.ts'
import { getScanSession, valueSession } from '#actions/photos/scan-sessions.ts'
import { addSessionPhoto, assertSessionPhotoAccepted } from '#actions/photos/session-photos.ts'
import type { Deps } from '#deps.ts'
import { PAGE_SECONDS_MAX } from '#rules/photos/deadlines.ts'
import { clientCountry } from '../../endpoint/client-address.ts'
import {
  PHOTO_GAME,
  SCAN_SESSION_ID,
  SCANS_MAX,
  stringEnum,
  VALUE_CURRENCY,
} from '../../input/fields.ts'
import { PAGE_MAX_BYTES, photoBody } from '../../input/photo-body.ts'
import {
  parseUnread,
  renderSessionItems,
  renderSessionPhoto,
  renderValuedSession,
} from '../../schemas/render-scan-sessions.ts'
import { SessionPhotoMetaSchema, SessionPhotoSchema } from '../../schemas/scan-sessions.ts'
import type { Server } from '../../server.ts'
import { PAGE_REFUSALS, scanBalance } from './identify.ts'

const OPTIONS = {
  page: stringEnum(['true', 'false'], '`true`: the photo shows several cards.', 'false'),
  game: PHOTO_GAME,
  max_scans: SCANS_MAX,
  ...VALUE_CURRENCY,
}

/** Photos of scan sessions. */
export function scanSessionPhotoRoutes(
  { endpoint, photoMetrics: { countStatus, recordSeconds } }: Server,
  deps: Deps,
): void {
  endpoint('POST /v1/scan-sessions/:id/photos/:photo', {
    auth: 'account',
    hasScans: true,
    id: 'addScanSessionPhoto',
    tag: 'Scanning',
    summary: 'Identify a photo and add its cards to a scan session',
    description:
      'Send one photo (JPEG, PNG or WebP, at most 16 MB) as to `/v1/identify`, under a key that you choose. It costs as much as there, or with `page` as at `/v1/identify/page`. Sent again with its key, it costs nothing.',
    params: {
      ...SCAN_SESSION_ID,
      photo: Type.String({
        maxLength: 64,
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        description: 'Key of the photo: 1 to 64 letters, digits, `_` and `-`.',
      }),
    },
    query: OPTIONS,
    body: photoBody(OPTIONS, PAGE_MAX_BYTES),
    secondsMax: PAGE_SECONDS_MAX,
    refusals: {
      ...PAGE_REFUSALS,
      404: 'Scan session not found.',
      409: 'The scan session has 5,000 items.',
    },
    returns: 'The photo, its items, and the session with its totals.',
    reply: SessionPhotoSchema,
    meta: SessionPhotoMetaSchema,
    async accept({ principal: { account_id }, params, request, clientAddress: address }) {
      const key = { session: { id: params.id, account_id }, photo: params.photo }
      const country = clientCountry(deps.config, request)
      await assertSessionPhotoAccepted(deps, key, { country, address })
    },
    async respond({ principal: { account_id }, params, body, request, clientAddress: address }) {
      const { photo: bytes, options } = body
      const started = performance.now()
      const money = chooseCurrency(deps, options.currency)
      const session = { id: params.id, account_id }
      const isPage = options.page === 'true'
      const added = await addSessionPhoto(deps, {
        session,
        photo: params.photo,
        bytes,
        address,
        clientSignal: request.signal,
        isPage,
        game: options.game,
        scansMax: options.max_scans,
      })
      const { photo, isRepeated, scans_charged, scans_credited, scans_remaining } = added
      const items = renderSessionItems(deps, added.items, money)
      if (!isRepeated) {
        for (const { status } of items) countStatus(status)
        if (!isPage) recordSeconds((performance.now() - started) / 1000)
      }
      const current = await getScanSession(deps, session)
      return {
        data: {
          photo: renderSessionPhoto(photo),
          items,
          unread: parseUnread(photo),
          session: renderValuedSession(await valueSession(deps, current), money),
        },
        meta: { scans_charged, scans_credited, scans_remaining, is_repeated: isRepeated },
        headers: scanBalance(scans_remaining),
      }
    },
  })
}
