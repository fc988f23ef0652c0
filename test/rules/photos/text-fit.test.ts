import { describe, expect, test } from 'bun:test'
import { createTextFitter, titleLines } from '#rules/photos/text-fit.ts'
import { candidateCard, printedLine, unsureLine } from '../../support/photos/candidate-fixtures.ts'

const CARD = candidateCard(1, { number: null })

describe('the fit of a name', () => {
  const fitsOf = createTextFitter([unsureLine('Lamplight Warden')])
  const fit = (name: string) => fitsOf({ ...CARD, name }).name ?? -1

  test('is highest for the printed card, in any spelling of the marketplace', () => {
    expect(fit('Lamplight Warden')).toBeGreaterThan(0.95)
    expect(fit('Lamplight Warden (Full Art) - 12/100')).toBe(fit('Lamplight Warden'))
    expect(fit('Lamplight Warden // Long Shadow')).toBe(fit('Lamplight Warden'))
    expect(fit('Lamplight Wardens')).toBeLessThan(fit('Lamplight Warden'))
    expect(fit('Lamplight Dragon')).toBeLessThan(fit('Lamplight Wardens'))
    expect(fit('Zzyzx')).toBe(0)
  })

  test('ignores symbols read beside it, but a longer name fits better', () => {
    const beside = createTextFitter([unsureLine('Lamplight Warden 3')])
    const fitBeside = (name: string) => beside({ ...CARD, name }).name ?? -1
    expect(fitBeside('Lamplight Warden')).toBeGreaterThanOrEqual(0.75)
    expect(fitBeside('Lamplight Warden')).toBeLessThan(fitBeside('Lamplight Warden 3'))
    expect(fitBeside('Lamplight')).toBeLessThan(0.75)
  })

  test('supports names in capitals', () => {
    const capitals = createTextFitter([unsureLine('LAMPLIGHT WARDEN')])
    expect(capitals({ ...CARD, name: 'Lamplight Warden' }).name).toBeGreaterThan(0.95)
  })
})

describe('the fit of a number', () => {
  const fitsOf = createTextFitter([unsureLine('LTS EN 017/200', { kind: 'number' })])
  const fit = (number: string | null) => fitsOf({ ...CARD, number }).number

  test('ignores adjacent words and leading zeros', () => {
    expect(fit('017/200')).toBeGreaterThan(0.95)
    expect(fit('17/200')).toBe(fit('017/200') ?? -1)
    expect(fit('018/200') ?? 1).toBeLessThan(fit('017/200') ?? 0)
  })

  test('is undefined for a card without a number, and for a single digit', () => {
    expect(fit(null)).toBeUndefined()
    expect(createTextFitter([])({ ...CARD, number: '017/200' }).number).toBeUndefined()
  })
})

describe('title candidates', () => {
  test('are name lines, then the tallest lines, without numbers and other scripts', () => {
    const lines = [
      printedLine('rules of the game', { kind: 'other', heightPx: 12 }),
      printedLine('A Subtitle', { kind: 'other', heightPx: 20 }),
      printedLine('A Name', { heightPx: 18 }),
      printedLine('017/200', { kind: 'number', heightPx: 30 }),
      printedLine('12', { kind: 'other', heightPx: 40 }),
      printedLine('', { script: 'japanese', heightPx: 40 }),
    ]
    expect(titleLines(lines).map(({ text }) => text)).toEqual([
      'A Name',
      'A Subtitle',
      'rules of the game',
    ])
  })

  test('include a line of letters in the header that looks like a number', () => {
    const title = printedLine('Lamplight Warden', { kind: 'number' })
    const artist = printedLine('Ilse Brandt', {
      kind: 'number',
      box: { left: 0.1, top: 0.95, right: 0.4, bottom: 0.97 },
    })
    expect(titleLines([artist, title])).toEqual([title])
  })
})
