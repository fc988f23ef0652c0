// A fake photo reader, and bytes that look like photos.

import { ClientLeft } from '#rules/photos/client-left.ts'
import type { CardPlacement, CutCard } from '#rules/photos/page-cut.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { rectangleQuad } from '#vision/image/rectify.ts'
import type { PhotoReader } from '#vision/worker/photo-reader.ts'

export type ReadRequest = {
  photo: Uint8Array
  gameId: number | undefined
  /** Place of a card of a page. */
  placement?: CardPlacement
}

/** Returns the observation of a photo, or throws. */
export type ReadingScript = (request: ReadRequest) => PhotoObservation | Promise<PhotoObservation>

export type FakeReader = PhotoReader & {
  /** All photos, oldest first. */
  requests: ReadRequest[]
  /** Photos that `cut` returns for each page; one by default. */
  page: Uint8Array[]
  /** Replaces the script. */
  script(next: ReadingScript): void
  /** Sets `state().ready`. */
  setReady(ready: boolean): void
}

/** Creates a reader that returns scripted observations. */
export function fakeReader(script: ReadingScript = () => OBSERVATION): FakeReader {
  const requests: ReadRequest[] = []
  let current = script
  let ready = true
  let reading = 0
  return {
    requests,
    page: [PHOTO.jpeg],
    async cut() {
      return { size: { width: 3000, height: 4000 }, cards: this.page.map(cutCardAt) }
    },
    script(next) {
      current = next
    },
    setReady(next) {
      ready = next
    },
    async read(photo, { gameId, placement, clientSignal }) {
      const request = { photo, gameId, ...(placement && { placement }) }
      requests.push(request)
      reading++
      try {
        return await untilClientLeaves(current(request), clientSignal)
      } finally {
        reading--
      }
    },
    assertRoom() {},
    state: () => ({ ready, threads: 1, waiting: 0, reading, replaced: 0, pictures: 0 }),
    close: async () => {},
  }
}

/** Rejects as soon as the client leaves, as the reader does with a photo that it is reading. */
async function untilClientLeaves<Result>(
  reading: Result | Promise<Result>,
  clientSignal: AbortSignal | undefined,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(new ClientLeft(true))
  if (clientSignal?.aborted) leave()
  clientSignal?.addEventListener('abort', leave)
  return Promise.race([promise, reading])
}

/** Cuts a photo of one card out of a page of three columns. */
export function cutCardAt(jpeg: Uint8Array, index: number): CutCard {
  const [left, top] = [100 + 900 * (index % 3), 100 + 1200 * Math.floor(index / 3)]
  const outline = rectangleQuad({ left, top, width: 630, height: 880 })
  return { jpeg, placement: { kind: 'raw', outline, confidence: 0.99 }, outline }
}

/** Observation of a sharp photo of a sample card. */
export const OBSERVATION: PhotoObservation = {
  photo: { width: 1536, height: 2048 },
  isMirrored: false,
  kind: 'raw',
  items: 1,
  quality: {
    px_per_mm: 12,
    blur_mm: 0.1,
    glare: 0,
    brightness: 130,
    is_cut_off: false,
    cornerConfidence: 0.95,
  },
  finish: { foilProbability: 0.1 },
  lines: [],
  neighbors: [
    { card_id: 900401, cosine: 0.96, distance: 60 },
    { card_id: 900402, cosine: 0.41, distance: 470 },
  ],
  fingerprint: 'test:AAAA',
}

/** First bytes of each format. They are never decoded. */
export const PHOTO = {
  jpeg: latin1Bytes('\xff\xd8\xff\xe0\0\x10JFIF\0'),
  png: latin1Bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  webp: latin1Bytes('RIFF\x1a\0\0\0WEBPVP8L'),
}

function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
