import { useSyncExternalStore } from 'react'
import type { Identification } from '#client/endpoints.ts'
import { type ApiError, api } from '../api.ts'
import { faultOf } from '../hooks/use-query.ts'
import { assertPhoto, photoToSend } from './photo-file.ts'

/** What is said of an identification: a card, null for none of them, undefined as long as nothing is. */
export type Said = number | null | undefined

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

export type Visit = {
  /** Newest first; they are nowhere but in this tab's memory. */
  shots: readonly Shot[]
  /** What was said during this visit, by the id of the identification. */
  said: ReadonlyMap<string, Said>
  /** As the last answer told it. */
  scansLeft: number | undefined
}

/** A photo takes some megabytes. */
const SHOTS_MAX = 12

const NOTHING: Visit = { shots: [], said: new Map(), scansLeft: undefined }

let visit = NOTHING
let account: number | undefined
let taken = 0
const listeners = new Set<() => void>()
const running = new Map<string, AbortController>()

/** The photos of this visit; they outlast the view, so that going to a card and back loses none. */
export function useVisit(): Visit {
  return useSyncExternalStore(listen, () => visit)
}

/** Photos are their owner's: whoever comes after them on this page sees none of them. */
export function keepVisitOf(account_id: number | undefined): void {
  if (account === account_id) return
  account = account_id
  forgetShots()
  change(NOTHING)
}

/** Forgets the photos; those that are being read are waited for no more. */
export function forgetShots(): void {
  for (const ending of running.values()) ending.abort()
  for (const shot of visit.shots) URL.revokeObjectURL(shot.picture)
  change({ ...visit, shots: [] })
}

/**
 * Takes a photo in and has it read; what comes of it the visit tells.
 *
 * @returns its key
 * @throws ApiError INVALID_IMAGE
 */
export async function takeShot(file: Blob, game: string | undefined): Promise<string> {
  await assertPhoto(file)
  const key = `photo-${++taken}`
  const picture = URL.createObjectURL(file)
  const shots: Shot[] = [{ key, file, picture, game, state: 'reading' }, ...visit.shots]
  for (const { key, picture } of shots.slice(SHOTS_MAX)) {
    running.get(key)?.abort()
    URL.revokeObjectURL(picture)
  }
  change({ ...visit, shots: shots.slice(0, SHOTS_MAX) })
  void read(key, file, game)
  return key
}

/** Sends a photo that was not read once more. */
export function readAgain({ key, file, game, state }: Shot): void {
  if (state !== 'failed' && state !== 'stopped') return
  settle(key, { state: 'reading' })
  void read(key, file, game)
}

/** Waits for no answer any more. */
export function stopReading({ key }: Shot): void {
  running.get(key)?.abort()
}

/** Keeps what the API has been told of an identification. */
export function keepSaid(id: string, said: Said): void {
  change({ ...visit, said: new Map(visit.said).set(id, said) })
}

/** A photo by what the page's address calls it: its key, or the id of what was read. */
export function shotNamed({ shots }: Visit, name: string | undefined): Shot | undefined {
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
    change({ ...visit, scansLeft: meta.scans_remaining })
    settle(key, { state: 'read', answer })
  } catch (error) {
    settle(key, signal.aborted ? { state: 'stopped' } : { state: 'failed', error: faultOf(error) })
    if (signal.aborted && account !== undefined) askScansLeft().catch(() => {})
  } finally {
    running.delete(key)
  }
}

function settle(key: string, outcome: Outcome): void {
  const shots = visit.shots.map((shot) => {
    if (shot.key !== key) return shot
    const { file, picture, game } = shot
    return { key, file, picture, game, ...outcome }
  })
  change({ ...visit, shots })
}

/** Nobody waited for the answer that would have told it; who cannot be asked is asked another time. */
async function askScansLeft(): Promise<void> {
  const { data } = await api.get('/v1/identify/usage')
  change({ ...visit, scansLeft: data.balance })
}

function change(next: Visit): void {
  visit = next
  for (const tell of listeners) tell()
}

function listen(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}
