import { expect, test } from 'bun:test'
import { isSameSeries, listSetForms, parseSetForm } from '#rules/catalog/set-forms.ts'

test.each([
  ['Ruby & Sapphire', 'Ruby and Sapphire'],
  ['Black Star Promos SM', 'SM Promos'],
  ['SVP Black Star Promos', 'SV: Scarlet & Violet Promo Cards'],
  ['Wizards Black Star Promos', 'WoTC Promo'],
  ["McDonald's Collection 2019", 'McDonald’s Promos 2019'],
  ['Expedition Base Set', 'Expedition'],
  ['Scarlet & Violet', 'Scarlet & Violet: Scarlet & Violet Base Set'],
  ['Karmesin & Purpur', 'Scarlet & Violet'],
  ['Base', 'Base Set'],
  ['Base Set (Unlimited)', 'Base Set'],
  ['Base Set (1st Edition & Shadowless)', 'Base Set (Shadowless)'],
  ['Neo - Neo Genesis', 'Neo Genesis'],
  ['E-Card: Aquapolis', 'Aquapolis'],
  ['10th Edition', 'Tenth Edition'],
  ['Masters Edition IV', 'Masters Edition 4'],
  ['Magic 2014 Core Set', 'Magic 2014'],
  ['Core 2019', 'Core Set 2019'],
  ['Commander: Dominaria United', 'Dominaria United Commander'],
  ['Gift Pack 2017', '2017 Gift Pack'],
  ['The Reign of Jafar', 'Reign of Jafar'],
  ['FtV: Relics', 'From the Vault: Relics'],
])('%p and %p are forms of one name', (one, other) => {
  expect(parseSetForm(one)).toEqual(parseSetForm(other))
})

test.each([
  ['Base Set', 'Base Set 2'],
  ['Base Set', 'Base Set (Shadowless)'],
  ['Magic 2010', 'Magic 2010 Promos'],
  ['Commander 2013', 'Commander 2013 Oversized'],
  ['Battle Academy', 'Battle Academy 2022'],
  ['Silver Tempest', 'Silver Tempest Trainer Gallery'],
  ['Hidden Fates', 'Hidden Fates: Shiny Vault'],
  ['Generations: Radiant Collection', 'Legendary Treasures: Radiant Collection'],
  ['Planechase Anthology', 'Planechase Anthology Planes'],
  ['Shonen Jump Vol. 5, Issue 6', 'Shonen Jump Vol. 6, Issue 5'],
  ['SWSH12: Silver Tempest', 'Silver Tempest'],
])('%p and %p are not', (one, other) => {
  expect(parseSetForm(one)).not.toEqual(parseSetForm(other))
})

test('a series may be left out, but not replaced', () => {
  expect(parseSetForm('SV: Scarlet & Violet 151')).toEqual({ own: '151', series: ['sv'] })
  expect(parseSetForm('Pokémon: 151')).toEqual({ own: '151', series: ['pokemon'] })
  expect(isSameSeries('151', ['sv'], [])).toBe(true)
  expect(isSameSeries('kit latia trainer', ['xy'], ['ex'])).toBe(false)
})

test.each(['promo', 'energy'])('a set with the own word %p is named with its series', (own) => {
  expect(isSameSeries(own, ['sv'], [])).toBe(false)
  expect(isSameSeries(own, ['sv'], ['sv'])).toBe(true)
})

test('a listed set has forms without its code, and those of both halves of a kit', () => {
  expect(listSetForms('SWSH12: Silver Tempest')).toEqual([
    { own: 'silver tempest', series: ['swsh'] },
  ])
  expect(listSetForms('Magic 2010 (M10)')).toEqual([parseSetForm('Magic 2010')])
  expect(listSetForms('XY Trainer Kit: Latias & Latios').slice(1)).toEqual([
    parseSetForm('XY trainer Kit (Latias)'),
    parseSetForm('XY trainer Kit (Latios)'),
  ])
})

test('a name of symbols or fillers alone has a form', () => {
  expect(parseSetForm('The Set')).toEqual({ own: 'set the', series: [] })
  expect(parseSetForm('?')).toEqual({ own: '?', series: [] })
})
