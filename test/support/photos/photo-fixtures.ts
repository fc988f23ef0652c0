import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Neighbor, PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { Page } from '../browser.ts'
import { SAMPLE } from '../test-app.ts'
import { printedLine } from './candidate-fixtures.ts'
import { OBSERVATION } from './reader-fixtures.ts'

/** Where a photo of the sample is, by its name. */
export function samplePhotoPath(name: string): string {
  return join(SAMPLE, 'photos', `${name}.jpg`)
}

/** What a reader may see in a photo. */
export const OBSERVATIONS = {
  /** Weathercock Baron, with its name and its number. */
  one: observation(
    [near(900018), near(900015, 0.4)],
    [printedLine('Weathercock Baron'), footLine('018/024')],
  ),
  /** Whisht, whose art stands in two sets. */
  several: observation([near(900208), near(900305)]),
  /** Something like Whistlewick, and like no other. */
  perhaps: observation([{ card_id: 900015, cosine: 0.62, distance: 330 }]),
  /** Two cards beside each other, of which one is known. */
  two: { ...observation([near(900015)]), items: 2 },
  nothing: observation([]),
  /** A card of a game that is not listed. */
  stranger: observation([], [footLine('©2023 Konami')]),
}

function observation(
  neighbor: Neighbor[],
  lines: PhotoObservation['lines'] = [],
): PhotoObservation {
  return { ...OBSERVATION, neighbors: neighbor, lines }
}

function near(card_id: number, cosine = 0.96): Neighbor {
  return { card_id, cosine, distance: cosine > 0.9 ? 60 : 470 }
}

function footLine(text: string) {
  const box = { left: 0.1, top: 0.92, right: 0.4, bottom: 0.95 }
  return printedLine(text, { kind: /^\d/.test(text) ? 'number' : 'other', box })
}

/** Chooses a photo as a person does who has the dialog of files open. */
export async function choosePhoto(page: Page, name: string): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(samplePhotoPath(name))
}

/** Pastes, or drops, photos, by an event as the browser makes it. */
export async function pasteOrDrop(
  page: Page,
  way: 'paste' | 'drop',
  ...names: string[]
): Promise<void> {
  const photos = names.map((name) => readFileSync(samplePhotoPath(name)).toString('base64'))
  await page.evaluate(
    ([way, photos]) => {
      const data = new DataTransfer()
      for (const photo of photos) {
        const bytes = Uint8Array.fromBase64(photo)
        data.items.add(new File([bytes], 'photo.jpg', { type: 'image/jpeg' }))
      }
      const how = { bubbles: true, cancelable: true }
      document.body.dispatchEvent(
        way === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, ...how })
          : new DragEvent('drop', { dataTransfer: data, ...how }),
      )
    },
    [way, photos] as const,
  )
}
