import { describe, expect, test } from 'bun:test'
import { gamesByCopyright } from '#rules/photos/copyright-owners.ts'
import { printedLine } from '../../support/photos/candidate-fixtures.ts'

describe('the owner in a copyright line', () => {
  test.each([
    ['™ & © 2024 Wizards of the Coast', ['magic', 'pokemon']],
    ['©2023 Pokémon/Nintendo/Creatures/GAME FREAK', ['pokemon', 'pokemon-japan']],
    ['©1996 KAZUKI TAKAHASHI', ['yugioh']],
    ['©Eiichiro Oda/Shueisha', ['one-piece']],
    ['FAB TCG © Legend Story Studios', ['flesh-and-blood']],
    ['©Disney', ['lorcana']],
    ['© 2024 Somebody Else', undefined],
  ])('in "%s" identifies the games %j', (text, games) => {
    const lines = [printedLine('A Name'), printedLine(text, { kind: 'other' })]
    expect(gamesByCopyright(lines)).toEqual(games)
  })

  test('is undefined at low confidence, or with two owners', () => {
    const unsure = printedLine('©Disney', { kind: 'other', confidence: 0.5 })
    expect(gamesByCopyright([unsure])).toBeUndefined()
    const both = ['©Disney', 'Konami'].map((text) => printedLine(text, { kind: 'other' }))
    expect(gamesByCopyright(both)).toBeUndefined()
  })
})
