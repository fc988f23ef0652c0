import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { ScanSessionItem } from '#client/endpoints.ts'
import * as texts from '#texts/photos/scan-session.ts'
import { type ApiError, api } from '../../api.ts'
import { toApiError } from '../../api-error.ts'
import { getPageCurrency, inCurrency } from '../../pricing/currency.ts'
import { PAGE_LIMITS, photoToSend } from '../photo-file.ts'
import { recordScansLeft } from '../photo-session.ts'
import { cutAnsweredPhoto } from './photo-cuts.ts'
import { type InboxPhoto, type InboxSession, openScanInbox, type ScanInbox } from './scan-inbox.ts'
import { createScanQueue, type ScanQueue, type ScanQueueState } from './scan-queue.ts'

/** The queue of a scan session in this tab. */
export type OpenedQueue = {
  /** Undefined until the inbox is open. */
  inbox: ScanInbox | undefined
  queue: ScanQueue | undefined
  state: ScanQueueState
  /** Items of the photo that was answered last. */
  answered: readonly ScanSessionItem[]
  /** Reason for which the inbox could not be opened. */
  error: ApiError | undefined
}

/**
 * Opens the inbox and sends its photos while the view is mounted.
 *
 * @param onAnswered called for each photo
 */
export function useScanQueue(
  { account, session }: InboxSession,
  onAnswered: () => void,
): OpenedQueue {
  const [opened, setOpened] = useState<{ inbox: ScanInbox; queue: ScanQueue }>()
  const [answered, setAnswered] = useState<readonly ScanSessionItem[]>([])
  const [error, setError] = useState<ApiError>()
  const finish = useEffectEvent(onAnswered)

  useEffect(() => {
    const closing = new AbortController()
    const { signal } = closing
    const of = { account, session }
    const send = async (photo: InboxPhoto, ending: AbortSignal) => {
      const { items, ...rest } = await sendPhoto(photo, ending)
      setAnswered(items)
      return rest
    }
    const start = async () => {
      const inbox = await openScanInbox()
      if (signal.aborted) return
      const queue = createScanQueue({ of, inbox, send, onAnswered: () => finish() })
      signal.addEventListener('abort', () => queue.close())
      addEventListener('online', () => queue.reconnect(), { signal })
      setOpened({ inbox, queue })
      await inOneTab(texts.cardstockScans({ account, session }), signal, () => queue.start())
    }
    start().catch((cause) => {
      if (!signal.aborted) setError(toApiError(cause))
    })
    return () => closing.abort()
  }, [account, session])

  const queue = opened?.queue
  const subscribe = useCallback(
    (onChange: () => void) => queue?.subscribe(onChange) ?? (() => {}),
    [queue],
  )
  const state = useSyncExternalStore(subscribe, () => queue?.getState() ?? CLOSED)
  return { inbox: opened?.inbox, queue, state, answered, error }
}

const CLOSED: ScanQueueState = { photos: [], answered: 0, pause: undefined, isActive: true }

async function sendPhoto(photo: InboxPhoto, signal: AbortSignal) {
  const { session: id, key, isPage, game } = photo
  const sent = await photoToSend(photo.file, isPage ? PAGE_LIMITS : undefined)
  const body = new FormData()
  body.append('image', sent, 'photo')
  const { data, meta } = await inCurrency(getPageCurrency(new URLSearchParams()), (choice) =>
    api.post('/v1/scan-sessions/{id}/photos/{photo}', {
      path: { id, photo: key },
      query: { page: isPage ? 'true' : 'false', game, ...choice },
      body,
      signal,
    }),
  )
  recordScansLeft(meta.scans_remaining)
  return { ...(await cutAnsweredPhoto(photo, sent, data)), items: data.items }
}

/**
 * Starts a task as soon as no other tab runs it, and holds the lock until the signal is aborted. If the browser has
 * no locks, every tab may run it.
 */
async function inOneTab(name: string, signal: AbortSignal, start: () => Promise<void>) {
  // Undefined over plain HTTP. The server charges a photo once, also if two tabs send it.
  const locks: LockManager | undefined = navigator.locks
  if (locks === undefined) return start()
  await locks.request(name, { signal }, async () => {
    await start()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
}
