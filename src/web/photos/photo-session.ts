import { useLayoutEffect, useSyncExternalStore } from 'react'
import type { Identification, IdentifiedPage } from '#client/endpoints.ts'
import { type ApiError, api } from '../api.ts'
import { toApiError } from '../api-error.ts'
import { getPageCurrency, inCurrency } from '../pricing/currency.ts'
import { assertPhoto, PAGE_LIMITS, photoToSend } from './photo-file.ts'

/** Feedback: a card id, null for none of the candidates, undefined if none was given. */
export type FeedbackChoice = number | null | undefined

/** A photo of this session and its state. */
export type Shot = {
  /** Identifies the photo in the URL. */
  key: string
  /** The original file and a blob URL for it. */
  file: Blob
  picture: string
  /** Slug of the game to search; undefined for all. */
  game: string | undefined
  /** True if the photo shows several cards. */
  isPage: boolean
} & Outcome

type Outcome =
  | { state: 'reading' }
  | { state: 'read'; answer: Identification }
  | { state: 'read page'; page: IdentifiedPage }
  | { state: 'failed'; error: ApiError }
  | { state: 'stopped' }

export type PhotoSession = {
  /** Newest first. Photos are only in memory. */
  shots: readonly Shot[]
  /** Feedback by identification id. */
  feedback: ReadonlyMap<string, FeedbackChoice>
  /** As of the last response. */
  scansLeft: number | undefined
}

/** Results outlive a page, so they use the stored currency instead of that in the URL. */
const NO_QUERY = new URLSearchParams()

/** Each photo takes several megabytes. */
const SHOTS_MAX = 12

const EMPTY_SESSION: PhotoSession = { shots: [], feedback: new Map(), scansLeft: undefined }

let photoSession = EMPTY_SESSION
let account: number | undefined
let taken = 0
const listeners = new Set<() => void>()
const running = new Map<string, AbortController>()

/** Returns the photos of this session, which survive navigation. */
export function usePhotoSession(): PhotoSession {
  return useSyncExternalStore(listen, () => photoSession)
}

/** Removes the photos of another account before the first paint. @param me undefined until it is loaded */
export function usePhotoOwner(me: { id: number } | null | undefined): void {
  const id = me?.id
  useLayoutEffect(() => {
    if (me !== undefined) setSessionOwner(id)
  }, [me, id])
}

/** Records the balance after a photo that is not in this list. */
export function recordScansLeft(scansLeft: number): void {
  change({ ...photoSession, scansLeft })
}

/** Removes the photos when another account logs in. */
function setSessionOwner(account_id: number | undefined): void {
  if (account === account_id) return
  account = account_id
  clearShots()
  change(EMPTY_SESSION)
}

/** Removes the photos and aborts running requests. */
export function clearShots(): void {
  for (const controller of running.values()) controller.abort()
  for (const shot of photoSession.shots) URL.revokeObjectURL(shot.picture)
  change({ ...photoSession, shots: [] })
}

/**
 * Adds a photo and starts its identification.
 *
 * @returns its key
 * @throws ApiError INVALID_IMAGE
 */
export async function addShot(
  file: Blob,
  { game, isPage }: Pick<Shot, 'game' | 'isPage'>,
): Promise<string> {
  await assertPhoto(file)
  const key = `photo-${++taken}`
  const picture = URL.createObjectURL(file)
  const shot: Shot = { key, file, picture, game, isPage, state: 'reading' }
  const shots = [shot, ...photoSession.shots]
  for (const { key, picture } of shots.slice(SHOTS_MAX)) {
    running.get(key)?.abort()
    URL.revokeObjectURL(picture)
  }
  change({ ...photoSession, shots: shots.slice(0, SHOTS_MAX) })
  void read(shot)
  return key
}

/** Sends a failed or canceled photo again. */
export function retryShot(shot: Shot): void {
  if (shot.state !== 'failed' && shot.state !== 'stopped') return
  settle(shot.key, { state: 'reading' })
  void read(shot)
}

/** Sends a photo again, as one of several cards. */
export function readAllCards({ key }: Shot): void {
  const shot = photoSession.shots.find((one) => one.key === key)
  if (shot === undefined) return
  const { file, picture, game } = shot
  const page: Shot = { key, file, picture, game, isPage: true, state: 'reading' }
  change({ ...photoSession, shots: photoSession.shots.map((one) => (one === shot ? page : one)) })
  void read(page)
}

export function cancelShot({ key }: Shot): void {
  running.get(key)?.abort()
}

/** Stores the feedback that the API accepted. */
export function recordFeedback(id: string, choice: FeedbackChoice): void {
  change({ ...photoSession, feedback: new Map(photoSession.feedback).set(id, choice) })
}

/** Finds a photo by its key or identification id. */
export function findShot({ shots }: PhotoSession, name: string | undefined): Shot | undefined {
  return shots.find(
    (shot) => shot.key === name || (shot.state === 'read' && shot.answer.id === name),
  )
}

async function read({ key, file, game, isPage }: Shot): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  running.set(key, controller)
  try {
    const outcome = await (isPage ? identifyPage : identifyCard)(file, { game, signal })
    settle(key, outcome)
  } catch (error) {
    settle(
      key,
      signal.aborted ? { state: 'stopped' } : { state: 'failed', error: toApiError(error) },
    )
    if (signal.aborted && account !== undefined) refreshScansLeft().catch(() => {})
  } finally {
    running.delete(key)
  }
}

type ReadOptions = { game: string | undefined; signal: AbortSignal }

async function identifyCard(file: Blob, options: ReadOptions): Promise<Outcome> {
  const photo = await photoToSend(file)
  const { data: answer, meta } = await inCurrency(getPageCurrency(NO_QUERY), (choice) =>
    api.identify(photo, { ...options, include: 'prices', ...choice }),
  )
  change({ ...photoSession, scansLeft: meta.scans_remaining })
  return { state: 'read', answer }
}

async function identifyPage(file: Blob, options: ReadOptions): Promise<Outcome> {
  const photo = await photoToSend(file, PAGE_LIMITS)
  const { data: page, meta } = await inCurrency(getPageCurrency(NO_QUERY), (choice) =>
    api.identifyPage(photo, { ...options, include: 'prices', ...choice }),
  )
  change({ ...photoSession, scansLeft: meta.scans_remaining })
  return { state: 'read page', page }
}

function settle(key: string, outcome: Outcome): void {
  const shots = photoSession.shots.map((shot) => {
    if (shot.key !== key) return shot
    const { file, picture, game, isPage } = shot
    return { key, file, picture, game, isPage, ...outcome }
  })
  change({ ...photoSession, shots })
}

/** Fetches the balance after an aborted request, whose response would have contained it. */
async function refreshScansLeft(): Promise<void> {
  const { data } = await api.get('/v1/identify/usage')
  change({ ...photoSession, scansLeft: data.balance })
}

function change(next: PhotoSession): void {
  photoSession = next
  for (const notify of listeners) notify()
}

function listen(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}
