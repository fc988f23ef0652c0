import type { ApiError } from '#client/client.ts'
import { toApiError } from '../../api-error.ts'
import { assertPhoto } from '../photo-file.ts'
import { chooseNextPhoto, classifyFailure, photoKeyOf } from './queue-rules.ts'
import type { InboxPhoto, InboxSession, ReviewCrop, ScanInbox } from './scan-inbox.ts'

/** A photo of the queue, without its file. */
export type QueuedPhoto = Pick<InboxPhoto, 'key' | 'isPage'> & {
  isSending: boolean
  problem: string | undefined
}

export type ScanQueueState = {
  photos: readonly QueuedPhoto[]
  /** Photos that were answered since the page was opened. */
  answered: number
  /** Reason for which nothing is sent. Without `until`, it lasts until a person continues. */
  pause: { error: ApiError; until: number | undefined } | undefined
  /** False while another tab sends the photos of the session. */
  isActive: boolean
}

/** Sends the photos of a scan session, oldest first. A photo stays in the inbox until it is answered. */
export type ScanQueue = {
  getState(): ScanQueueState
  subscribe(onChange: () => void): () => void
  /** Adds photos one by one. @returns names of the files that are not photos */
  add(files: readonly File[], options: Pick<InboxPhoto, 'game' | 'isPage'>): Promise<string[]>
  /** Starts to send photos, including those of closed tabs. Call it in one tab at a time. */
  start(): Promise<void>
  /** Continues after a pause. */
  resume(): void
  /** Continues if the queue waits for the server. */
  reconnect(): void
  retry(key: string): Promise<void>
  remove(key: string): Promise<void>
  close(): void
}

/** Parts of an answered photo that are still needed. */
export type AnsweredPhoto = { crops: readonly ReviewCrop[]; unread: readonly InboxPhoto[] }

type ScanQueueOptions = {
  of: InboxSession
  inbox: ScanInbox
  /** Sends a photo. @throws ApiError */
  send: (photo: InboxPhoto, signal: AbortSignal) => Promise<AnsweredPhoto>
  /** Called after a photo has left the inbox. */
  onAnswered: () => void
}

export function createScanQueue({ of, inbox, send, onAnswered }: ScanQueueOptions): ScanQueue {
  const listeners = new Set<() => void>()
  const closing = new AbortController()
  let state: ScanQueueState = { photos: [], answered: 0, pause: undefined, isActive: false }
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  function change(next: Partial<ScanQueueState>): void {
    state = { ...state, ...next }
    for (const notify of listeners) notify()
  }

  function changePhoto(key: string, next: Partial<QueuedPhoto>): void {
    change({ photos: state.photos.map((one) => (one.key === key ? { ...one, ...next } : one)) })
  }

  function sendNext(): void {
    if (!state.isActive || state.pause !== undefined || closing.signal.aborted) return
    const photo = chooseNextPhoto(state.photos)
    if (photo === undefined) return
    changePhoto(photo.key, { isSending: true })
    void sendPhoto(photo.key)
    sendNext()
  }

  async function sendPhoto(key: string): Promise<void> {
    try {
      const photo = await inbox.getPhoto({ ...of, key })
      const unread = photo === undefined ? [] : await settle(photo)
      failures = 0
      const photos = state.photos.filter((one) => one.key !== key)
      change({ photos: [...photos, ...unread.map(queued)], answered: state.answered + 1 })
      onAnswered()
    } catch (cause) {
      if (closing.signal.aborted) return
      await recover(key, toApiError(cause))
    }
    sendNext()
  }

  async function settle(photo: InboxPhoto): Promise<readonly InboxPhoto[]> {
    const { crops, unread } = await send(photo, closing.signal)
    await inbox.settlePhoto(photo, crops, unread)
    return unread
  }

  async function recover(key: string, error: ApiError): Promise<void> {
    const failure = classifyFailure(error, failures)
    changePhoto(key, { isSending: false })
    if (failure.kind === 'refuse') await refuse(key, error.message)
    else if (failure.kind === 'stop') change({ pause: { error, until: undefined } })
    else {
      failures++
      change({ pause: { error, until: Date.now() + failure.ms } })
      clearTimeout(timer)
      timer = setTimeout(resume, failure.ms)
    }
  }

  async function refuse(key: string, problem: string | undefined): Promise<void> {
    const photo = await inbox.getPhoto({ ...of, key })
    if (photo === undefined) return
    const { problem: _, ...rest } = photo
    await inbox.putPhoto(problem === undefined ? rest : { ...rest, problem })
    changePhoto(key, { problem })
  }

  function resume(): void {
    clearTimeout(timer)
    change({ pause: undefined })
    sendNext()
  }

  return {
    getState: () => state,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    add(files, options) {
      const onStored = (photo: InboxPhoto) => {
        change({ photos: [...state.photos, queued(photo)] })
        sendNext()
      }
      return storePhotos({ inbox, of, files, options, onStored })
    },
    async start() {
      const stored = await inbox.listPhotos(of)
      if (closing.signal.aborted) return
      const known = new Set(state.photos.map(({ key }) => key))
      const left = stored.filter(({ key }) => !known.has(key)).map(queued)
      change({ photos: [...left, ...state.photos], isActive: true })
      sendNext()
    },
    resume,
    reconnect() {
      if (state.pause?.until !== undefined) resume()
    },
    async retry(key) {
      await refuse(key, undefined)
      sendNext()
    },
    async remove(key) {
      await inbox.deletePhoto({ ...of, key })
      change({ photos: state.photos.filter((one) => one.key !== key) })
    },
    close() {
      clearTimeout(timer)
      closing.abort()
    },
  }
}

/**
 * Adds the photo of an item again, as one of several cards, which replace the item. The item is deleted first: if another
 * tab has decided about it, that fails, and the photo is neither sent nor charged.
 */
export async function replaceByPage(
  queue: Pick<ScanQueue, 'add'>,
  { picture, game }: Pick<ReviewCrop, 'picture' | 'game'>,
  deleteItem: () => Promise<unknown>,
): Promise<void> {
  await deleteItem()
  await queue.add([new File([picture], 'photo')], { game, isPage: true })
}

type StoreOptions = {
  inbox: ScanInbox
  of: InboxSession
  files: readonly File[]
  options: Pick<InboxPhoto, 'game' | 'isPage'>
  onStored: (photo: InboxPhoto) => void
}

/**
 * Stores photos in the inbox, one by one: a hundred of them take a while.
 *
 * @returns names of the files that are not photos
 */
export async function storePhotos({
  inbox,
  of,
  files,
  options,
  onStored,
}: StoreOptions): Promise<string[]> {
  const others: string[] = []
  for (const [index, file] of files.entries()) {
    const isPhoto = await assertPhoto(file).then(
      () => true,
      () => false,
    )
    if (isPhoto) {
      const photo = { ...of, ...options, ...newPhoto(file, index) }
      await inbox.putPhoto(photo)
      onStored(photo)
    } else others.push(file.name)
  }
  return others
}

function newPhoto(file: Blob, index: number): Pick<InboxPhoto, 'key' | 'added_at' | 'file'> {
  const added_at = Date.now()
  const key = photoKeyOf(added_at, index, Math.floor(Math.random() * 36 ** 4))
  return { key, added_at, file }
}

function queued({ key, isPage, problem }: InboxPhoto): QueuedPhoto {
  return { key, isPage, problem, isSending: false }
}
