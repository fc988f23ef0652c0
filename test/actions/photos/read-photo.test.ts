import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readPhoto } from '#actions/photos/read-photo.ts'
import type { PhotoReading } from '#rules/photos/photo-reading.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import {
  photoReading,
  printedLine,
  recognisedText,
} from '../../support/photos/candidate-fixtures.ts'
import { fakeReader } from '../../support/photos/reader-fixtures.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

// Matching by printed text with the sample catalog: no picture of it is indexed here.

let testApp: TestApp
const reader = fakeReader()
beforeAll(async () => {
  testApp = await createTestApp({ reader })
})
afterAll(() => testApp.close())

const FOOT = { left: 0.05, top: 0.95, right: 0.3, bottom: 0.97 }
const numberLine = (text: string, facts: Partial<PrintedLine> = {}) =>
  printedLine(text, { kind: 'number', box: FOOT, heightPx: 18, ...facts })

/** Reads a photo with these lines. */
async function read(lines: PrintedLine[], game?: string, facts: Partial<PhotoReading> = {}) {
  reader.script(() => photoReading({ lines, ...facts }))
  const { catalog } = testApp.deps
  const photo = new Uint8Array(1)
  const sender = { network: 'n', payer: 'p' }
  const asked = {
    id: 'x',
    photo,
    sender,
    prices: false,
    game: catalog.games.getBySlugOrId(game ?? ''),
  }
  return await readPhoto({ catalog, reader }, asked)
}

describe('a photo with text only', () => {
  test('is the card whose name and number were read', async () => {
    const {
      status,
      read: told,
      candidates,
    } = await read([printedLine('Cindle'), numberLine('001/024')])
    expect(status).toBe('matched')
    expect(told).toMatchObject({ name: 'Cindle', number: '001/024', game: 'wickerwild' })
    expect(candidates[0]).toMatchObject({ card_id: 900_001, match: { number: 'exact', name: 1 } })
  })

  test('is any card of the name if no number was read', async () => {
    const { status, candidates } = await read([printedLine('Cindle')])
    expect(status).toBe('ambiguous')
    expect(candidates.map(({ card_id }) => card_id)).toEqual(
      expect.arrayContaining([900_001, 900_101]),
    )
  })

  test('matches by a misread name', async () => {
    const unsure = printedLine('Cindlemone Regemt', {
      confidence: 0.4,
      ctc: recognisedText('Cindlemane Regent', 0.6),
    })
    const { status, candidates } = await read([unsure])
    expect([status, candidates[0]?.card_id]).toEqual(['ambiguous', 900_003])
  })

  test('matches by an uncertain number with a partial name', async () => {
    const name = printedLine('Cndl', { confidence: 0.2, ctc: recognisedText('Cndle', 0.7) })
    const {
      status,
      candidates,
      read: told,
    } = await read([name, numberLine('001/024', { confidence: 0.3 })])
    expect(told.readable).toEqual({ name: false, number: false, set: false })
    expect([status, candidates[0]?.card_id]).toEqual(['ambiguous', 900_001])
    expect((await read([name])).status).toBe('not_found')
  })

  test('is searched in the game that the caller names', async () => {
    const lines = [printedLine('Cindle'), numberLine('001/024')]
    expect((await read(lines, 'wickerwild')).status).toBe('matched')
    expect((await read(lines, 'perihelion-drift')).status).toBe('not_found')
  })

  test('is not found if its name and its number match no card', async () => {
    const { status, candidates } = await read([printedLine('Zzyzx'), numberLine('777/999')])
    expect([status, candidates]).toEqual(['not_found', []])
  })

  test('has no game of the catalog if its copyright line names another', async () => {
    const lines = [printedLine('Zzyzx'), printedLine('©2023 Konami', { kind: 'other', box: FOOT })]
    expect(await read(lines)).toMatchObject({ status: 'unsupported', candidates: [] })
  })
})
