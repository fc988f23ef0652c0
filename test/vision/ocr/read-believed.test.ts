import { expect, test } from 'bun:test'
import type { CardObservation } from '#vision/observation.ts'
import { readBelieved } from '#vision/ocr/read-believed.ts'
import { printedLine } from '../../support/photos/candidate-fixtures.ts'

/** Creates a place with this text, and with these texts at other places. */
function place(text: string, ...elsewhere: string[]): CardObservation {
  return {
    photo: { width: 600, height: 800 },
    kind: 'raw',
    items: 1,
    quality: undefined,
    orientations: 2,
    embed: () => new Int8Array(128),
    hashes: () => [],
    estimateFinish: () => ({ foilProbability: 0 }),
    readText: (orientation) =>
      orientation === 0 && text !== '' ? [printedLine(text, { confidence: 0.9 })] : [],
    *elsewhere() {
      for (const other of elsewhere) yield place(other)
    },
  }
}

/** Creates a place without text in a photo with text. */
const inPhoto = (text: string, isUpright = true): CardObservation => ({
  ...place(''),
  whole: () => {
    const { readText, ...whole } = place(text)
    return {
      ...whole,
      readText: (orientation) => readText(isUpright ? orientation : 1 - orientation),
    }
  },
})

/** A photo whose nearest picture has this distance. */
function textOf(card: CardObservation, distance = 480): string {
  const neighbors = [{ card_id: 1, cosine: 0.6, distance }]
  return readBelieved({ card, hits: [], neighbors }, 'all')
    .lines.map(({ text }) => text)
    .join()
}

test('corners without text are not believed if another place has text', () => {
  expect(textOf(place('', '', 'Salamander Wax-Seal'))).toBe('Salamander Wax-Seal')
  expect(textOf(place('a.', 'Salamander Wax-Seal'))).toBe('Salamander Wax-Seal')
})

test('corners with text, with a picture or of the only place are believed', () => {
  expect(textOf(place('No. 10', 'Salamander Wax-Seal'))).toBe('No. 10')
  expect(textOf(place('', 'Salamander Wax-Seal'), 280)).toBe('')
  expect(textOf(place('', 'noise', '1'))).toBe('')
})

test('the whole photo is read if no place has text, also upside down', () => {
  expect(textOf(inPhoto('Salamander Wax-Seal'))).toBe('Salamander Wax-Seal')
  expect(textOf(inPhoto('Salamander Wax-Seal', false))).toBe('Salamander Wax-Seal')
  expect(textOf({ ...inPhoto('Whisht of the Fen'), ...place('', 'Salamander Wax-Seal') })).toBe(
    'Salamander Wax-Seal',
  )
  expect(textOf(inPhoto('noise'))).toBe('')
})

test('the whole photo is read if no card was found', () => {
  const nothing = { ...inPhoto('Salamander Wax-Seal'), kind: undefined, orientations: 0 }
  expect(textOf(nothing)).toBe('Salamander Wax-Seal')
})

test('text makes no card where none was found, wherever it stands', () => {
  const readOf = (card: CardObservation) => readBelieved({ card, hits: [], neighbors: [] }, 'all')
  const nothing = { kind: undefined, items: 0, orientations: 0 }
  const unfound = readOf({ ...place('', 'Charizard 4/102 Raichu 14/102'), ...nothing })
  expect(unfound.card).toMatchObject({ kind: undefined, items: 0 })
  expect(unfound.lines).toHaveLength(1)
  expect(readOf(place('', 'Salamander Wax-Seal')).card).toMatchObject({ kind: 'raw', items: 1 })
})

test('a back is not read, whatever lies beside it', () => {
  const back = { kind: 'back', orientations: 0 } as const
  expect(textOf({ ...place('', 'Salamander Wax-Seal'), ...back })).toBe('')
  expect(textOf({ ...inPhoto('Salamander Wax-Seal'), ...back })).toBe('')
})
