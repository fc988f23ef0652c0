import { useSyncExternalStore } from 'react'
import type { Identification } from '#client/endpoints.ts'
import { type ApiError, api } from '../api.ts'
import { toApiError } from '../hooks/use-query.ts'
import { assertPhoto, photoToSend } from './photo-file.ts'

/** What is said of an identification: a card, null for none of them, undefined as long as nothing is. */
export type FeedbackChoice = number | null | undefined

/** A photo of this visit, and what became of it. */
export type Shot = {
  /** Names it in the page's address. */
  key: string
  /** The photo as it was chosen, and a blob URL that shows it. */
  file: Blob
  picture: string
  /** Slug of the game that it is searched in; undefined: in all. */
  game: string | undefined
} & Outcome

type Outcome =
  | { state: 'reading' }
  | { state: 'read'; answer: Identification }
  | { state: 'failed'; error: ApiError }
  | { state: 'stopped' }

export type PhotoSession = {
  /** Newest first; they are nowhere but in this tab's memory. */
  shots: readonly Shot[]
  /** What was said during this visit, by the id of the identification. */
  feedback: ReadonlyMap<string, FeedbackChoice>
  /** As the last answer told it. */
  scansLeft: number | undefined
}

/** A photo takes some megabytes. */
const SHOTS_MAX = 12

const EMPTY_SESSION: PhotoSession = { shots: [], feedback: new Map(), scansLeft: undefined }

let photoSession = EMPTY_SESSION
let account: number | undefined
let taken = 0
const listeners = new Set<() => void>()
const running = new Map<string, AbortController>()

/** The photos of this visit; they outlast the view, so that going to a card and back loses none. */
export function usePhotoSession(): PhotoSession {
  return useSyncExternalStore(listen, () => photoSession)
}

/** Photos are their owner's: whoever comes after them on this page sees none of them. */
export function setSessionOwner(account_id: number | undefined): void {
  if (account === account_id) return
  account = account_id
  clearShots()
  change(EMPTY_SESSION)
}

/** Forgets the photos; those that are being read are waited for no more. */
export function clearShots(): void {
  for (const ending of running.values()) ending.abort()
  for (const shot of photoSession.shots) URL.revokeObjectURL(shot.picture)
  change({ ...photoSession, shots: [] })
}

/**
 * Takes a photo in and has it read; what comes of it the visit tells.
 *
 * @returns its key
 * @throws ApiError INVALID_IMAGE
 */
export async function addShot(file: Blob, game: string | undefined): Promise<string> {
  await assertPhoto(file)
  const key = `photo-${++taken}`
  const picture = URL.createObjectURL(file)
  const shots: Shot[] = [{ key, file, picture, game, state: 'reading' }, ...photoSession.shots]
  for (const { key, picture } of shots.slice(SHOTS_MAX)) {
    running.get(key)?.abort()
    URL.revokeObjectURL(picture)
  }
  change({ ...photoSession, shots: shots.slice(0, SHOTS_MAX) })
  void read(key, file, game)
  return key
}

/** Sends a photo that was not read once more. */
export function retryShot({ key, file, game, state }: Shot): void {
  if (state !== 'failed' && state !== 'stopped') return
  settle(key, { state: 'reading' })
  void read(key, file, game)
}

/** Waits for no answer any more. */
export function cancelShot({ key }: Shot): void {
  running.get(key)?.abort()
}

/** Keeps what the API has been told of an identification. */
export function recordFeedback(id: string, choice: FeedbackChoice): void {
  change({ ...photoSession, feedback: new Map(photoSession.feedback).set(id, choice) })
}

/** A photo by what the page's address calls it: its key, or the id of what was read. */
export function findShot({ shots }: PhotoSession, name: string | undefined): Shot | undefined {
  return shots.find(
    (shot) => shot.key === name || (shot.state === 'read' && shot.answer.id === name),
  )
}

async function read(key: string, file: Blob, game: string | undefined): Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  running.set(key, ending)
  try {
    const photo = await photoToSend(file)
    const { data: answer, meta } = await api.identify(photo, { game, include: 'prices', signal })
    change({ ...photoSession, scansLeft: meta.scans_remaining })
    settle(key, { state: 'read', answer })
  } catch (error) {
    settle(
      key,
      signal.aborted ? { state: 'stopped' } : { state: 'failed', error: toApiError(error) },
    )
    if (signal.aborted && account !== undefined) askScansLeft().catch(() => {})
  } finally {
    running.delete(key)
  }
}

function settle(key: string, outcome: Outcome): void {
  const shots = photoSession.shots.map((shot) => {
    if (shot.key !== key) return shot
    const { file, picture, game } = shot
    return { key, file, picture, game, ...outcome }
  })
  change({ ...photoSession, shots })
}

/** Nobody waited for the answer that would have told it; who cannot be asked is asked another time. */
async function askScansLeft(): Promise<void> {
  const { data } = await api.get('/v1/identify/usage')
  change({ ...photoSession, scansLeft: data.balance })
}

function change(next: PhotoSession): void {
  photoSession = next
  for (const tell of listeners) tell()
}

function listen(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}
