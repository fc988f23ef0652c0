import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Neighbor, PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { Page } from '../browser.ts'
import { SAMPLE } from '../test-app.ts'
import { printedLine } from './candidate-fixtures.ts'
import { OBSERVATION } from './reader-fixtures.ts'

/** Returns the path of a sample photo. */
export function samplePhotoPath(name: string): string {
  return join(SAMPLE, 'photos', `${name}.jpg`)
}

/** Typical observations. */
export const OBSERVATIONS = {
  /** Weathercock Baron, with its name and its number. */
  one: observation(
    [near(900018), near(900015, 0.4)],
    [printedLine('Weathercock Baron'), footLine('018/024')],
  ),
  /** Whisht, whose art is in two sets. */
  several: observation([near(900208), near(900305)]),
  /** Similar to Whistlewick only. */
  perhaps: observation([{ card_id: 900015, cosine: 0.62, distance: 330 }]),
  /** Two cards, one of which is in the catalog. */
  two: { ...observation([near(900015)]), items: 2 },
  nothing: observation([]),
  /** A card of an unlisted game. */
  stranger: observation([], [footLine('©2023 Konami')]),
}

function observation(
  neighbors: Neighbor[],
  lines: PhotoObservation['lines'] = [],
): PhotoObservation {
  return { ...OBSERVATION, neighbors, lines }
}

function near(card_id: number, cosine = 0.96): Neighbor {
  return { card_id, cosine, distance: cosine > 0.9 ? 60 : 470 }
}

function footLine(text: string) {
  const box = { left: 0.1, top: 0.92, right: 0.4, bottom: 0.95 }
  return printedLine(text, { kind: /^\d/.test(text) ? 'number' : 'other', box })
}

/** Selects a photo in the file input. */
export async function choosePhoto(page: Page, name: string): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(samplePhotoPath(name))
}

/** Pastes or drops photos, with a browser event. */
export async function pasteOrDrop(
  page: Page,
  action: 'paste' | 'drop',
  ...names: string[]
): Promise<void> {
  const photos = names.map((name) => readFileSync(samplePhotoPath(name)).toString('base64'))
  await page.evaluate(
    ([action, photos]) => {
      const data = new DataTransfer()
      for (const photo of photos) {
        const bytes = Uint8Array.fromBase64(photo)
        data.items.add(new File([bytes], 'photo.jpg', { type: 'image/jpeg' }))
      }
      const options = { bubbles: true, cancelable: true }
      document.body.dispatchEvent(
        action === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, ...options })
          : new DragEvent('drop', { dataTransfer: data, ...options }),
      )
    },
    [action, photos] as const,
  )
}
