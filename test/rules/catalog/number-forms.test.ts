import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { numberKey } from '#rules/catalog/names.ts'
import {
  isSameNumber,
  numberForms,
  numberSpellings,
  withoutMarks,
} from '#rules/catalog/number-forms.ts'
import { matchNumbers } from '#rules/photos/text-match.ts'
import { measureCpuMs } from '../../support/event-loop-turns.ts'

describe('the forms of a printed number', () => {
  test.each([
    ['4/102', ['4/102', '4']],
    ['004/102', ['004/102', '004']],
    ['TG12/TG30', ['TG12/TG30', 'TG12']],
    ['067/SV-P', ['067/SV-P', '067']],
    ['12/P1', ['12/P1', '12']],
    ['125a/156', ['125a/156', '125a']],
    ['0123', ['0123']],
    ['SVP 044', ['SVP 044', 'SVP044', '044']],
    ['OP01-001', ['OP01-001']],
    ['SWSH123', ['SWSH123']],
    ['LOB-EN001', ['LOB-EN001']],
    ['SAO/S20-E001', ['SAO/S20-E001']],
  ])('%s begin with %p', (printed, forms) => {
    expect(numberForms(printed).slice(0, forms.length)).toEqual(forms)
  })

  test('end with the marks of catalogs for such numbers', () => {
    expect(numberForms('OP07-080')).toContain('OP07-080_p1')
    expect(numberForms('P-070')).toContain('P-070_r1')
    expect(numberForms('128/264').slice(2)).toEqual(['128s', '128p', '128★', '128s★', '128†'])
    expect(numberForms('SWSH123')).toEqual(['SWSH123'])
  })

  test('of an empty number are empty', () => {
    expect(numberForms('')).toEqual([])
    expect(numberForms(' - ')).toEqual([])
  })

  test('have distinct keys, and each stands for the printed number', () => {
    const numbers = fc.stringMatching(
      /^([A-Z]{1,3}|[A-Z]{3} |OP[0-9]{2}-)?[0-9]{1,3}(\/[0-9]{2,3})?$/,
    )
    fc.assert(
      fc.property(numbers, (printed) => {
        const forms = numberForms(printed)
        expect(new Set(forms.map(numberKey)).size).toBe(forms.length)
        for (const form of forms) expect(matchNumbers(printed, form)).toMatch(/^(exact|partial)$/)
      }),
    )
  })
})

test.each([
  ['OP07-080_p1', 'OP07-080'],
  ['OP01-120_r2', 'OP01-120'],
  ['128s', '128'],
  ['153p', '153'],
  ['78★', '78'],
  ['227s★', '227'],
  ['122†', '122'],
  ['js94sb', 'js94'],
  ['101/078 SAR', '101/078'],
  ['86a', '86a'],
  ['SM30a', 'SM30a'],
  ['TG12/TG30', 'TG12/TG30'],
])('%s without marks is %s', (listed, bare) => {
  expect(withoutMarks(listed)).toBe(bare)
})

test('a separate code before a number may be joined to it or omitted', () => {
  expect(numberSpellings('PW 9')).toEqual(['PW 9', 'PW9', '9'])
  expect(numberSpellings('PW9')).toEqual(['PW9'])
})

describe('a written number', () => {
  test.each([
    ['4', '4'],
    ['4', '004'],
    ['004', '4'],
    ['4', '004/102'],
    ['4/102', '004'],
    ['4/102', '004/102'],
    ['04/0102', '4/102'],
    ['tg12', 'TG12/TG30'],
    ['SVP 044', '044'],
    ['044', 'SVP 44'],
    ['svp044', 'SVP 044'],
    ['op01-001', 'OP01-001'],
    ['SAO/S20-E001', 'SAO/S20-E001'],
    ['#4', '4'],
  ])('%p may be the listed %p', (written, listed) => {
    expect(isSameNumber(written, listed)).toBe(true)
  })

  test.each([
    ['4', '14'],
    ['4', '40/102'],
    ['102', '4/102'],
    ['4/102', '4/110'],
    ['4/102', '5/102'],
    ['4a', '4'],
    ['TG12', '12'],
    ['OP01-001', 'OP02-001'],
    ['OP01-001', 'OP01-001_p1'],
    ['SAO', 'SAO/S20-E001'],
    ['4', ''],
  ])('%p cannot be the listed %p', (written, listed) => {
    expect(isSameNumber(written, listed)).toBe(false)
  })

  test('takes time in proportion to the length of a number', () => {
    const long = '1'.repeat(100_000)
    expect(measureCpuMs(() => isSameNumber(long, `${long}2`))).toBeLessThan(100)
  })

  test('matches symmetrically, with any leading zeros and any total on one side', () => {
    const count = fc.integer({ min: 1, max: 999 })
    fc.assert(
      fc.property(count, count, fc.nat({ max: 3 }), (number, total, zeros) => {
        const written = '0'.repeat(zeros) + number
        for (const [one, other] of [
          [written, `${number}/${total}`],
          [`${written}/${total}`, `${number}/${total}`],
          [written, `${number}`],
        ] as const) {
          expect([isSameNumber(one, other), isSameNumber(other, one)]).toEqual([true, true])
        }
        const wrong = isSameNumber(`${written}/${total}`, `${number}/${total + 1}`)
        expect([wrong, isSameNumber(written, `${number + 1}`)]).toEqual([false, false])
      }),
    )
  })
})
