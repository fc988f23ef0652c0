import { describe, expect, test } from 'bun:test'
import { collectedItemId, conditionOf, suggestItem } from '#rules/photos/session-item.ts'
import { VERDICT_STATUSES } from '#rules/photos/verdict.ts'

const CARD = {
  card_id: 7,
  name: 'Cindle',
  number: '001/024',
  product_type: 'Cards',
  set: { id: 3, name: 'Lantern Season' },
  game: { slug: 'wickerwild' },
  suggested_printing: null,
}
const RAW = { language: 'Japanese', kind: 'raw', grade: '' }

const suggest = (
  status: (typeof VERDICT_STATUSES)[number],
  {
    read = RAW,
    candidates = [CARD, { ...CARD, card_id: 8 }],
  }: Partial<Parameters<typeof suggestItem>[0]> = {},
) => suggestItem({ status, read, candidates }, (card_id) => `Base of ${card_id}`)

describe('an item', () => {
  test('has a card if it is matched or ambiguous, and is reviewed if it is matched', () => {
    const found = VERDICT_STATUSES.map((status) => {
      const { card_id, is_reviewed } = suggest(status)
      return [status, card_id, is_reviewed]
    })
    expect(found).toEqual([
      ['matched', 7, 1],
      ['ambiguous', 7, 0],
      ['retake', null, 0],
      ['not_found', null, 0],
      ['unsupported', null, 0],
    ])
    expect(suggest('ambiguous', { candidates: [] })).toMatchObject({ card_id: null, name: null })
  })

  test('has the printing that the photo suggests, else the base printing', () => {
    expect(suggest('matched').printing).toBe('Base of 7')
    const foil = { ...CARD, suggested_printing: 'Foil' }
    expect(suggest('matched', { candidates: [foil] }).printing).toBe('Foil')
  })

  test('has the language that was read, if it is known', () => {
    const languages = ['Japanese', 'English', '', 'Klingon'].map(
      (language) => suggest('matched', { read: { ...RAW, language } }).language,
    )
    expect(languages).toEqual(['ja', 'en', null, null])
  })

  test('has the grade of a slab, and never of a raw card', () => {
    const read = { ...RAW, kind: 'graded slab', grade: 'PSA 10' }
    expect(suggest('matched', { read }).grade).toBe('PSA 10')
    expect(suggest('matched', { read: { ...read, kind: 'raw' } }).grade).toBeNull()
    expect(suggest('matched', { read: { ...read, grade: '' } }).grade).toBeNull()
    expect(suggest('matched', { read: { ...read, grade: 'x'.repeat(41) } }).grade).toBeNull()
  })

  test('of a sealed product is unopened', () => {
    const sealed = { ...CARD, product_type: 'Sealed Products' }
    expect(suggest('matched', { candidates: [sealed] }).condition).toBe('unopened')
  })
})

test('a new card keeps the condition of an item, unless a sealed product takes its place or leaves it', () => {
  expect(conditionOf('damaged', 'near_mint')).toBe('damaged')
  expect(conditionOf('damaged', 'unopened')).toBe('unopened')
  expect(conditionOf('unopened', 'near_mint')).toBe('near_mint')
  expect(conditionOf('unopened', 'unopened')).toBe('unopened')
})

test('ids of collected items are those of no other item, and ascend like the items', () => {
  const sessions = ['11111111-2222-4333-8444-555555555555', '11111111-2222-4333-8444-555555555556']
  const ids = [0, 1, 15, 16, 5_000].flatMap((ordinal) =>
    [1_700_000_000_000, 1_700_000_000_001].map((created_at) => ({ ordinal, created_at })),
  )
  const made = sessions.flatMap((session) => ids.map((item) => collectedItemId(session, item)))
  expect(new Set(made).size).toBe(made.length)
  for (const id of made) expect(id).toMatch(/^item_[0-9a-f]{32}$/)
  const [session = ''] = sessions
  const inOrder = ids
    .toSorted((a, b) => a.created_at - b.created_at || a.ordinal - b.ordinal)
    .map((item) => collectedItemId(session, item))
  expect(inOrder).toEqual(inOrder.toSorted())
})
