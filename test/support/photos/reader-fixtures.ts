// The machines and threads at the edge of the service, played.
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { PhotoReader } from '#vision/worker/photo-reader.ts'

export type ReadRequest = { photo: Uint8Array; gameId: number | undefined }

/** What a fake reader answers to a photo; what it throws is thrown. */
export type ReadingScript = (request: ReadRequest) => PhotoObservation | Promise<PhotoObservation>

export type FakeReader = PhotoReader & {
  /** Every photo that came, oldest first. */
  requests: ReadRequest[]
  /** What it answers from now on. */
  script(next: ReadingScript): void
  /** Whether it says that it is ready. */
  setReady(ready: boolean): void
}

/** A reader without threads and networks: it sees what the test says that it sees. */
export function fakeReader(script: ReadingScript = () => OBSERVATION): FakeReader {
  const requests: ReadRequest[] = []
  let current = script
  let ready = true
  let reading = 0
  return {
    requests,
    script(next) {
      current = next
    },
    setReady(next) {
      ready = next
    },
    async read(photo, { gameId }) {
      const request = { photo, gameId }
      requests.push(request)
      reading++
      try {
        return await current(request)
      } finally {
        reading--
      }
    },
    state: () => ({ ready, waiting: 0, reading, replaced: 0, pictures: 0 }),
    close: async () => {},
  }
}

/** A sharp photo of one card of the sample: its picture is the nearest by far. */
export const OBSERVATION: PhotoObservation = {
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
  finish: { foilProbability: 0.1, stampProbability: 0.5 },
  lines: [],
  neighbors: [
    { card_id: 900401, cosine: 0.96, distance: 60 },
    { card_id: 900402, cosine: 0.41, distance: 470 },
  ],
}

/** The first bytes of each type, so that they are taken for photos; nothing decodes them. */
export const PHOTO = {
  jpeg: latin1Bytes('\xff\xd8\xff\xe0\0\x10JFIF\0'),
  png: latin1Bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  webp: latin1Bytes('RIFF\x1a\0\0\0WEBPVP8L'),
}

function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0))
}
