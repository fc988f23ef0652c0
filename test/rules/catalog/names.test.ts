import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cleanName, gameSlug, numberKey, slugify } from '#rules/catalog/names.ts'

const anyText = fc.string({ unit: 'grapheme' })

describe('slugify', () => {
  test.each([
    ['SWSH12: Silver Tempest', 'swsh12-silver-tempest'],
    ['Sword & Shield', 'sword-and-shield'],
    ["McDonald's Promos 2012", 'mcdonalds-promos-2012'],
    ['McDonald’s Promos', 'mcdonalds-promos'],
    ['Pokémon   —  Center', 'pokemon-center'],
    ['-ONE PIECE CARD- [PRB-01]', 'one-piece-card-prb-01'],
    ['Trōpal-Dhani Kāṣāya Vetreiđi', 'tropal-dhani-kasaya-vetreidi'],
    ['拡張パック', '42'],
    ['!!!', '42'],
    ['', '42'],
  ])('%p becomes %p', (name, slug) => {
    expect(slugify(name, 42)).toBe(slug)
  })

  test('every slug is ASCII words with single hyphens, and slugify is idempotent', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (name, id) => {
        const slug = slugify(name, id)
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        expect(slugify(slug, id)).toBe(slug)
      }),
    )
  })
})

describe('gameSlug', () => {
  test('the major games keep their slugs under any name', () => {
    const slugs = [1, 2, 3, 62, 68, 71, 85].map((id) => gameSlug({ id, name: 'Renamed' }))
    expect(slugs).toEqual([
      'magic',
      'yugioh',
      'pokemon',
      'flesh-and-blood',
      'one-piece',
      'lorcana',
      'pokemon-japan',
    ])
  })

  test('another game is named by its slug', () => {
    expect(gameSlug({ id: 900, name: 'Sword & Sorcery' })).toBe('sword-and-sorcery')
  })

  test('no other game gets a fixed slug', () => {
    expect(gameSlug({ id: 900, name: 'Magic' })).toBe('magic-900')
  })

  test('no game gets the slug of all games', () => {
    expect(gameSlug({ id: 900, name: 'All!' })).toBe('all-900')
  })

  test('no slug looks like an id', () => {
    expect(gameSlug({ id: 900, name: '2001' })).toBe('game-900')
    expect(gameSlug({ id: 900, name: '遊戯' })).toBe('game-900')
  })
})

describe('cleanName', () => {
  test.each([
    ["Misty's Tentacool (32)", 'Misty s Tentacool 32'],
    ['Pokémon Center', 'Pokemon Center'],
    ["Lim-Dûl's Cohort", 'Lim Dul s Cohort'],
    ['Fire // Ice', 'Fire Ice'],
    ['Charizard ☆ δ', 'Charizard δ'],
    ['  Two   spaces\tand a tab ', 'Two spaces and a tab'],
    ['ガブリアス', 'ガブリアス'],
    ['ポリゴン２（HR）', 'ポリゴン2 HR'],
    ['ของฮ็อป <x>', 'ของฮ็อป x'],
    ['_____', '_____'],
    ['Coast® Service', 'Coast Service'],
  ])('%p becomes %p', (name, clean) => {
    expect(cleanName(name)).toBe(clean)
  })

  test('is idempotent and leaves only words and single spaces', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const clean = cleanName(name)
        expect(cleanName(clean)).toBe(clean)
        if (clean !== name.trim())
          expect(clean).toMatch(/^[\p{L}\p{M}\p{N}]+( [\p{L}\p{M}\p{N}]+)*$/u)
      }),
    )
  })
})

describe('numberKey', () => {
  const sorted = (numbers: (string | null)[]) =>
    [...numbers].sort((a, b) => compareBytes(numberKey(a), numberKey(b)))

  test.each([
    [['1', '2', '9', '10', '11', '100', '1000']],
    [['004/102', '4a/102', '05/102', '102/102', '103/102']],
    [['1', '250', '250a', '251', 'TG01', 'TG2', 'TG10']],
    [['OP13-089', 'OP13-089_p1', 'OP13-089_p2', 'OP13-089_p10', 'OP13-090']],
    [['63', '*64', '65', '71★', '72', '87†', '88']],
    [['A/28', 'B/28', 'Z/28', '!/28', '?/28', null]],
    [['1', '999', 'J1', 'SWSH099', 'SWSH100', null]],
    [['1HP001', '1HP002', '1HP010', 'AAZ001', 'AAZ026']],
    [['059/SM-P', '060/SM-P', 'N/A', null]],
  ])("%p is the collectors' order", (numbers) => {
    expect(sorted([...numbers].reverse())).toEqual(numbers)
  })

  test('leading zeros and case do not matter', () => {
    expect(numberKey('tg01')).toBe(numberKey('TG1'))
  })

  test('digits are ordered as numbers, after any prefix and before any suffix', () => {
    fc.assert(
      fc.property(
        fc.maxSafeNat(),
        fc.maxSafeNat(),
        fc.constantFrom('', 'TG', 'OP13-'),
        (a, b, prefix) => {
          const order = compareBytes(numberKey(`${prefix}${a}/7`), numberKey(`${prefix}${b}/7`))
          expect(order).toBe(Math.sign(a - b))
        },
      ),
    )
  })

  test('a missing number comes last', () => {
    fc.assert(
      fc.property(anyText, (number) => {
        expect(compareBytes(numberKey(number), numberKey(null))).toBeLessThanOrEqual(0)
        if (/[0-9A-Za-z]/.test(number)) expect(numberKey(number)).not.toBe(numberKey(null))
      }),
    )
  })
})

/** Compares texts as SQLite does. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
