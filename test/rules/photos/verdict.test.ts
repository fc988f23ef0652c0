import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import {
  type Neighbor,
  type PhotoQuality,
  type PhotoReading,
  UNREAD,
} from '#rules/photos/photo-reading.ts'
import { CANDIDATES_MAX } from '#rules/photos/thresholds.ts'
import { decideVerdict as judgeAmong } from '#rules/photos/verdict.ts'
import {
  candidateCard,
  GOOD_QUALITY,
  photoReading,
  printedLine,
  printOf,
  recognizedText,
  unsureLine,
} from '../../support/photos/candidate-fixtures.ts'

/** Creates a neighbor that is certainly the card. */
const certain = (card_id: number): Neighbor => ({ card_id, cosine: 0.92, distance: 190 })
/** Creates a neighbor with a low similarity. */
const weak = (card_id: number): Neighbor => ({ card_id, cosine: 0.6, distance: 420 })
const CARDS = [candidateCard(1), candidateCard(2), candidateCard(3)]
const ONE_OF_THREE = [certain(1), weak(2), weak(3)]

/** Decides in a catalog of two games. */
const judge = (reading: PhotoReading, cards: readonly CandidateCard[]) =>
  judgeAmong(reading, cards, ['wickerwild', 'magic'])

const idsOf = (verdict: ReturnType<typeof judge>) => verdict.candidates.map(({ card }) => card.id)

describe('a covered card', () => {
  const partly = (cosine: number): Neighbor => ({ card_id: 1, cosine, distance: 480 })
  const covered = (...neighbors: Neighbor[]) =>
    judge(photoReading({ neighbors, isCovered: true }), CARDS)

  test('is found by its visible part, whatever its hash is', () => {
    expect(judge(photoReading({ neighbors: [partly(0.74)] }), CARDS).status).toBe('not_found')
    expect(covered(partly(0.74), weak(2))).toMatchObject({
      status: 'ambiguous',
      read: { name: '' },
    })
    expect(idsOf(covered(partly(0.74), weak(2)))).toEqual([1])
  })

  test('is not found if its visible part is like a chance neighbor', () => {
    expect(covered(partly(0.62)).status).toBe('not_found')
  })

  test('is found although other print is in the place of its name and number', () => {
    const lines = [
      unsureLine('Resistance', { kind: 'name' }),
      unsureLine('88/471', { kind: 'number' }),
    ]
    const reading = photoReading({ neighbors: [partly(0.7), weak(2)], isCovered: true, lines })
    expect(idsOf(judge(reading, CARDS))).toEqual([1])
  })

  test('is not matched by its visible part alone', () => {
    expect(covered(partly(0.99), weak(2)).status).toBe('ambiguous')
  })
})

describe('a card that was found by a photo that people have named', () => {
  const learned = (card_id: number, cosine = 0.95): Neighbor => {
    return { card_id, cosine, distance: 150, isLearned: true }
  }
  const found = (neighbors: Neighbor[], facts: Partial<PhotoReading> = {}, cards = UNSEEN) =>
    judge(photoReading({ neighbors, ...facts }), cards)
  const UNSEEN = [1, 2, 3].map((id) =>
    candidateCard(id, { name: `Card ${'ABC'[id - 1]}`, number: `${id}/9`, art_group: null }),
  )

  test('is listed first, and not matched without its printed name or number', () => {
    const verdict = found([learned(1)])
    expect([verdict.status, idsOf(verdict)[0]]).toEqual(['ambiguous', 1])
  })

  test('is marked, unlike the candidates beside it', () => {
    const { candidates } = found([learned(1), learned(2)], {
      lines: [unsureLine('Card C', { kind: 'name' })],
    })
    expect(new Map(candidates.map(({ card, match }) => [card.id, match.reference]))).toEqual(
      new Map([
        [1, true],
        [2, true],
        [3, false],
      ]),
    )
  })

  test.each([{ number: '1/9' }, { name: 'Card A' }])('is matched if %p is printed', (print) => {
    const verdict = found([learned(1)], { print: printOf(print) })
    expect([verdict.status, idsOf(verdict)[0]]).toEqual(['matched', 1])
  })

  test('is not matched if another name or number is printed', () => {
    for (const print of [printOf({ name: 'Card B' }), printOf({ number: '2/9' })]) {
      const verdict = found([learned(1)], { print })
      expect(verdict.status === 'matched' && idsOf(verdict)[0] === 1).toBe(false)
    }
  })

  test('does not keep a card from being matched by its text', () => {
    const print = printOf({ name: 'Card B', number: '2/9' })
    const neighbors = [learned(1), learned(2, 0.94)]
    expect(found(neighbors, { print })).toMatchObject({
      status: 'matched',
      candidates: [{ card: { id: 2 } }],
    })
  })

  test('does not make cards unlikely that have not been compared', () => {
    const lines = [unsureLine('Card C', { kind: 'name' })]
    const unlike = { ...learned(1, 0.71), distance: 480 }
    const [plain, beside] = [found([], { lines }), found([unlike], { lines })]
    const scoreOf = (verdict: typeof plain) =>
      verdict.candidates.find(({ card }) => card.id === 3)?.score ?? 0
    expect(scoreOf(beside)).toBeGreaterThan(scoreOf(plain) / 2)
  })
})

describe('matched', () => {
  test('is the only similar card', () => {
    const verdict = judge(photoReading({ neighbors: ONE_OF_THREE }), CARDS)
    expect(verdict).toMatchObject({ status: 'matched', message: null, warnings: [] })
    expect(verdict.candidates[0]).toMatchObject({
      card: { id: 1 },
      match: { number: 'unknown', name: 0, set: 0, edition: true, reference: false },
      suggested_printing: 'Normal',
    })
    expect(verdict.read).toMatchObject({
      game: 'wickerwild',
      kind: 'raw',
      product_type: 'Cards',
      name: '',
      number: '',
    })
  })

  test('is possible for a poor photo without rivals', () => {
    const quality = { ...GOOD_QUALITY, blur_mm: 2, px_per_mm: 2 }
    expect(judge(photoReading({ neighbors: ONE_OF_THREE, quality }), CARDS).status).toBe('matched')
  })

  test('is possible for a slab, with a warning about the price', () => {
    const verdict = judge(photoReading({ neighbors: ONE_OF_THREE, kind: 'graded slab' }), CARDS)
    expect(verdict.status).toBe('matched')
    expect(verdict.warnings).toEqual(['This is a graded card. Prices are for the raw card.'])
    const mirrored = photoReading({ neighbors: ONE_OF_THREE, isMirrored: true })
    expect(judge(mirrored, CARDS).warnings).toEqual([
      expect.stringMatching(/^The photo is mirrored/),
    ])
    expect(verdict.read).toMatchObject({ kind: 'graded slab', product_type: 'Cards' })
  })

  test('is the sibling with the number that was read', () => {
    const cards = [candidateCard(1), candidateCard(2, { art_group: 1 }), candidateCard(3)]
    const neighbors = [certain(1), certain(2), weak(3)]
    expect(judge(photoReading({ neighbors }), cards).status).toBe('ambiguous')
    const verdict = judge(photoReading({ neighbors, print: printOf({ number: '2/200' }) }), cards)
    expect(verdict.status).toBe('matched')
    expect(idsOf(verdict)).toEqual([2])
    expect(verdict.candidates[0]?.match.number).toBe('exact')
  })

  test('is the sibling with the set that was read', () => {
    const set = { id: 2, name: 'Dusk Harvest', code: 'DSH' }
    const cards = [candidateCard(1), candidateCard(2, { art_group: 1, set })]
    const neighbors = [certain(1), certain(2)]
    const verdict = judge(photoReading({ neighbors, print: printOf({ set: 'DSH' }) }), cards)
    expect(verdict.status).toBe('matched')
    expect(verdict.candidates[0]?.card.id).toBe(2)
  })

  test('is the sibling with the stamp', () => {
    const cards = [
      candidateCard(1),
      candidateCard(2, { art_group: 1, name: 'Card 1 (Prerelease)' }),
    ]
    const neighbors = [certain(1), certain(2)]
    const topFor = (stamp: string | null) => {
      const { status, candidates } = judge(
        photoReading({ neighbors, print: { ...UNREAD, stamp } }),
        cards,
      )
      return [status, status === 'matched' ? candidates[0]?.card.id : undefined]
    }
    expect(topFor(null)).toEqual(['matched', 1])
    expect(topFor('Prerelease')).toEqual(['matched', 2])
    expect(topFor('unclear')).toEqual(['ambiguous', undefined])
  })

  test('is the stamped card, even if only its unstamped twin has the number', () => {
    const stamped = candidateCard(2, { art_group: 1, name: 'Card 1 (Prerelease)', number: null })
    const print = { ...printOf({ number: '1/200' }), stamp: 'Prerelease' }
    const { status, candidates } = judge(photoReading({ neighbors: [certain(2)], print }), [
      candidateCard(1),
      stamped,
    ])
    expect([status, candidates[0]?.card.id]).toEqual(['matched', 2])
  })

  test('is decided by the number between similar cards', () => {
    const neighbors = [
      { card_id: 1, cosine: 0.8, distance: 270 },
      { card_id: 2, cosine: 0.78, distance: 275 },
    ]
    expect(judge(photoReading({ neighbors }), CARDS).status).toBe('ambiguous')
    const verdict = judge(photoReading({ neighbors, print: printOf({ number: '2/200' }) }), CARDS)
    expect([verdict.status, idsOf(verdict)]).toEqual(['matched', [2]])
  })
})

describe('ambiguous', () => {
  test.each([
    ['two arts are equally close', [certain(1), certain(2)]],
    ['the lead is small', [certain(1), { card_id: 2, cosine: 0.86, distance: 330 }]],
    ['the hashes are far apart', [{ card_id: 1, cosine: 0.92, distance: 305 }, weak(2)]],
    ['no hash was compared', [{ card_id: 1, cosine: 0.92, distance: undefined }, weak(2)]],
    ['the similarity is low', [{ card_id: 1, cosine: 0.59, distance: 250 }]],
  ])('is a card where %s', (_, neighbors) => {
    const verdict = judge(photoReading({ neighbors }), CARDS)
    expect(verdict.status).toBe('ambiguous')
    expect(verdict.candidates[0]?.card.id).toBe(1)
  })

  test('lists cards of one art with equal scores by number, whatever their dates', () => {
    const cards = [
      candidateCard(1, { release_date: '2020-05-05' }),
      candidateCard(2, { art_group: 1, release_date: '2026-05-05' }),
      candidateCard(3, { art_group: 1, release_date: null }),
    ]
    const verdict = judge(photoReading({ neighbors: [certain(1), certain(2), certain(3)] }), cards)
    expect([verdict.status, idsOf(verdict)]).toEqual(['ambiguous', [1, 2, 3]])
    expect(new Set(verdict.candidates.map(({ score }) => score)).size).toBe(1)
  })

  test('lists cards of one art, closest picture first', () => {
    const cards = [1, 2, 3].map((id) => candidateCard(id, { art_group: 1 }))
    const further = { ...certain(2), distance: 250 }
    // The third is not a neighbor, but has the same art.
    const verdict = judge(photoReading({ neighbors: [certain(1), further] }), cards)
    expect([verdict.status, idsOf(verdict)]).toEqual(['ambiguous', [1, 2, 3]])
  })

  test('is a card with a namesake that has no indexed picture', () => {
    const namesake = candidateCard(9, { name: 'Card 1', art_group: null })
    const verdict = judge(photoReading({ neighbors: ONE_OF_THREE }), [...CARDS, namesake])
    expect([verdict.status, idsOf(verdict)]).toEqual(['ambiguous', [1, 9]])
    const elsewhere = { ...namesake, game: { id: 2, slug: 'other', name: 'Other' } }
    expect(judge(photoReading({ neighbors: ONE_OF_THREE }), [...CARDS, elsewhere]).status).toBe(
      'matched',
    )
  })

  test('is a card with another name than the one read', () => {
    const print = printOf({ name: 'Somebody Else' })
    const neighbors = [{ ...certain(1), distance: 250 }]
    const verdict = judge(photoReading({ neighbors, print }), CARDS)
    expect(verdict.status).toBe('ambiguous')
    expect(verdict.candidates[0]?.match.name).toBe(0)
  })

  test('is a card with a stamp in its title that the photo does not show', () => {
    const cards = [candidateCard(1, { name: 'Card 1 (Prerelease)' })]
    const verdict = judge(
      photoReading({ neighbors: [certain(1)], print: { ...UNREAD, stamp: null } }),
      cards,
    )
    expect([verdict.status, verdict.candidates[0]?.match.edition]).toEqual(['ambiguous', false])
  })

  test('is a product of another type than the photo', () => {
    const box = [candidateCard(1, { product_type: 'Sealed Products' })]
    expect(judge(photoReading({ neighbors: [certain(1)] }), box).status).toBe('ambiguous')
    const sealed = photoReading({ neighbors: [certain(1)], kind: 'sealed' })
    expect(judge(sealed, CARDS).status).toBe('ambiguous')
    const verdict = judge(sealed, box)
    expect(verdict).toMatchObject({ status: 'matched', read: { product_type: 'Sealed Products' } })
    expect(verdict.warnings).toHaveLength(1)
  })

  test('has a game only if all candidates share it', () => {
    const other = candidateCard(2, { game: { id: 9002, slug: 'tidebound', name: 'Tidebound' } })
    const neighbors = [certain(1), certain(2)]
    expect(judge(photoReading({ neighbors }), CARDS).read.game).toBe('wickerwild')
    expect(judge(photoReading({ neighbors }), [candidateCard(1), other]).read.game).toBe('')
  })
})

describe('text alone', () => {
  /** Creates cards of a catalog without pictures. */
  const unseen = (id: number, facts: Partial<CandidateCard> = {}) =>
    candidateCard(id, { art_group: null, ...facts })
  const read = printOf({ name: 'Card 4', number: '4/200' })

  test('matches the card with the name and the number', () => {
    const verdict = judge(photoReading({ print: read }), [unseen(4), unseen(5)])
    expect(verdict).toMatchObject({ status: 'matched', read: { game: 'wickerwild' } })
    expect(verdict.candidates.map(({ card, match }) => [card.id, match.number])).toEqual([
      [4, 'exact'],
    ])
  })

  test.each([
    ['the name was not read', printOf({ number: '4/200' })],
    ['the number was not read', printOf({ name: 'Card 4' })],
    ['the number may be cut off', printOf({ name: 'Card 4', number: '4' })],
  ] as const)('matches nothing where %s', (_, print) => {
    expect(judge(photoReading({ print }), [unseen(4)]).status).toBe('ambiguous')
  })

  test.each([
    ['has no total either', printOf({ name: 'Card 4', number: '4' }), '4'],
    ['lacks the total', read, '4'],
    ['has the set that was read', printOf({ name: 'Card 4', number: '4', set: 'LTS' }), '4/200'],
  ] as const)('matches a card whose number %s', (_, print, number) => {
    expect(judge(photoReading({ print }), [unseen(4, { number })]).status).toBe('matched')
  })

  test.each([
    ['a stamp', 'Card 4 (Prerelease)', '4/200'],
    ['a pattern', 'Card 4 (Master Ball Pattern)', '004/200'],
    ['a mark of the catalog', 'Card 4', '4s'],
    ['a variant without a number', 'Card 4 - 2019 (World Championships)', null],
  ] as const)('matches nothing beside a twin that differs by %s', (_, name, number) => {
    const twin = unseen(9, { name, number })
    const verdict = judge(photoReading({ print: read }), [unseen(4, { number: '4/200' }), twin])
    expect(verdict.status).toBe('ambiguous')
    expect(verdict.candidates[0]?.card.id).toBe(4)
  })

  test('matches beside a namesake with another number, or of a set without numbers', () => {
    const namesakes = ['5/200', '4/199', null].map((number, index) =>
      unseen(20 + index, { name: 'Card 4', number }),
    )
    expect(judge(photoReading({ print: read }), [unseen(4), ...namesakes]).status).toBe('matched')
  })

  test('matches a code that only one card has, unless a line may be another name', () => {
    const coded = unseen(4, { name: 'Hesper Ring', number: 'PD1-009' })
    const print = printOf({ number: 'PD1-009' })
    const statusFor = (lines: PhotoReading['lines'], ...others: CandidateCard[]) =>
      judge(photoReading({ print, lines }), [coded, ...others]).status
    expect(statusFor([])).toBe('matched')
    expect(statusFor([unsureLine('Hesper Rinq')])).toBe('matched')
    expect(statusFor([printedLine('Gravity Tax')])).toBe('ambiguous')
    expect(statusFor([printedLine('カード', { script: 'japanese' })])).toBe('ambiguous')
    const parallel = unseen(5, { name: 'Hesper Ring (Parallel)', number: 'PD1-009_p1' })
    expect(statusFor([], parallel)).toBe('ambiguous')
  })

  test('is ambiguous for two cards with one name and number', () => {
    const other = unseen(9, { name: 'Card 4', number: '4/200' })
    const verdict = judge(photoReading({ print: read }), [unseen(4), other])
    expect([verdict.status, idsOf(verdict)]).toEqual(['ambiguous', [4, 9]])
  })

  test('does not match a card whose picture differs, if the photo resembles another one', () => {
    const cards = [candidateCard(4), candidateCard(5)]
    const statusFor = (cosine: number) =>
      judge(photoReading({ print: read, neighbors: [{ ...weak(5), cosine }] }), cards).status
    expect(statusFor(0.6)).toBe('ambiguous')
    // The card was cut out wrongly, so that it resembles nothing.
    expect(statusFor(0.3)).toBe('matched')
  })

  test('lists a card whose name fits letters of low confidence', () => {
    const lines = [
      printedLine('Lamplight', { confidence: 0.4, ctc: recognizedText('Lamplight', 0.7) }),
    ]
    const cards = [unseen(1, { name: 'Lamplight' }), unseen(2, { name: 'Something Else' })]
    const verdict = judge(photoReading({ lines }), cards)
    expect([verdict.status, idsOf(verdict)]).toEqual(['ambiguous', [1]])
  })

  /** Creates cards with the same art, and a photo with a number line of this confidence. */
  function siblingsOf(numbers: readonly (string | null)[], printed: string, confidence: number) {
    const letters = recognizedText(printed, confidence)
    const lines = [printedLine(printed, { confidence: 0.4, kind: 'number', ctc: letters })]
    const cards = numbers.map((number, at) => candidateCard(at + 1, { number, art_group: 1 }))
    const neighbors = cards.map(({ id }) => certain(id))
    const verdict = judge(photoReading({ neighbors, lines }), cards)
    return [verdict.status, idsOf(verdict)[0]]
  }

  test('matches the only sibling whose number fits the letters', () => {
    const numbers = ['011/200', '017/200', '171/200']
    expect(siblingsOf(numbers, 'LTS EN 017/200', 0.99)).toEqual(['matched', 2])
  })

  test.each([
    ['the confidence is too low', ['011/200', '017/200'], '017/200', 0.3],
    ['another card has the same number', ['017/200', '017/200'], '017/200', 0.95],
    ['no card has the number', ['011/200', '017/200'], '077/200', 0.95],
  ] as const)(
    'only puts the likeliest sibling first where %s',
    (_, numbers, printed, confidence) => {
      expect(siblingsOf(numbers, printed, confidence)[0]).toBe('ambiguous')
    },
  )

  test('does not match against a sibling without a number', () => {
    expect(siblingsOf([null, '017/200'], '017/200', 0.95)).toEqual(['ambiguous', 2])
  })
})

describe('retake', () => {
  test.each([
    ['nothing was found', { kind: undefined, items: 0, quality: undefined }, /^No card was found/],
    ['the back is shown', { kind: 'back' }, /Turn it over/],
    ['there are several cards', { items: 3 }, /one card at a time/],
  ] as const)('is requested for where %s', (_, facts, message) => {
    const neighbors = 'items' in facts && facts.items > 1 ? ONE_OF_THREE : [weak(1), weak(2)]
    const verdict = judge(photoReading({ neighbors, ...facts }), CARDS)
    expect(verdict.status).toBe('retake')
    expect(verdict.message).toMatch(message)
    expect(verdict.read.game).toBe('')
  })

  test.each([
    [304, 419, 3.6],
    [419, 304, 3.6],
    [480, 640, 2],
    [490, 690, 5.4],
  ])('asks for the original of a file of %i x %i pixels', (width, height, px_per_mm) => {
    const quality = { ...GOOD_QUALITY, px_per_mm }
    const { status, message } = judge(photoReading({ photo: { width, height }, quality }), [])
    const advice = `The photo is only ${width} x ${height} pixels. Send the original.`
    expect([status, message]).toEqual(['retake', advice])
    const empty = photoReading({ photo: { width, height }, kind: undefined, quality: undefined })
    expect(judge(empty, []).message).toBe(`No card was found. ${advice}`)
  })

  test.each([
    [600, 800, 5],
    [3000, 4000, 3],
    [4000, 900, 3],
  ])('asks to move closer in a photo of %i x %i pixels', (width, height, px_per_mm) => {
    const quality = { ...GOOD_QUALITY, px_per_mm }
    const { message } = judge(photoReading({ photo: { width, height }, quality }), [])
    expect(message).toBe('Move closer: the card is too small in the photo.')
  })

  test('asks to move closer only for what was not read', () => {
    const quality = { ...GOOD_QUALITY, px_per_mm: 4 }
    const answer = (read: Parameters<typeof printOf>[0]) => {
      const cards = [candidateCard(1), candidateCard(9, { name: 'Card 1', number: '1/200' })]
      return judge(photoReading({ quality, print: printOf(read) }), cards)
    }
    expect(answer({ name: 'Card 1' }).message).toBe(
      'Move closer: the number is too small in the photo.',
    )
    expect(answer({ name: 'Card 1', number: '1/200' })).toMatchObject({
      status: 'ambiguous',
      message: expect.not.stringContaining('Move closer'),
    })
  })

  test('says that a back in the dark may be a face', () => {
    const back = (brightness: number) =>
      judge(photoReading({ kind: 'back', quality: { ...GOOD_QUALITY, brightness } }), []).message
    expect(back(29)).toMatch(/^The photo is dark\. Take it in more light/)
    expect(back(130)).toBe('This is the back of a card. Turn it over.')
  })

  test('does not request the original photo if the card is legible', () => {
    const small = photoReading({ photo: { width: 400, height: 560 }, neighbors: ONE_OF_THREE })
    expect(judge(small, CARDS).status).toBe('matched')
  })

  test.each([
    [{ px_per_mm: 3 }, /^Move closer/],
    [{ blur_mm: 1.5 }, /^Hold still/],
    [{ glare: 0.3 }, /^Tilt/],
    [{ brightness: 20 }, /more light/],
    [{ brightness: 0 }, /more light/],
    [{ is_cut_off: true }, /whole card/],
    [{ cornerConfidence: 0.3 }, /four corners/],
    [{ blur_mm: 0.7, glare: 0.5 }, /^Tilt.*Hold still/],
    [{ blur_mm: 5, is_cut_off: true }, /^Get the whole card.*Hold still/],
  ] as [Partial<PhotoQuality>, RegExp][])(
    'for %o states the worst problem first',
    (fault, message) => {
      const neighbors = [certain(1), certain(2)]
      const verdict = judge(
        photoReading({ neighbors, quality: { ...GOOD_QUALITY, ...fault } }),
        CARDS,
      )
      expect(verdict.status).toBe('retake')
      expect(verdict.message).toMatch(message)
      expect(idsOf(verdict)).toEqual([1, 2])
    },
  )

  test('takes precedence over not_found for a poor photo', () => {
    const verdict = judge(photoReading({ quality: { ...GOOD_QUALITY, blur_mm: 3 } }), [])
    expect([verdict.status, verdict.candidates]).toEqual(['retake', []])
  })
})

describe('not_found', () => {
  test.each([
    ['there are no neighbors', []],
    ['the nearest card is not similar', [{ card_id: 1, cosine: 0.5, distance: 450 }]],
    ['all neighbors are equally dissimilar', [weak(1), weak(2), weak(3)]],
    ['the nearest card was removed from the catalog', [certain(77)]],
  ])('is the answer where %s', (_, neighbors) => {
    const verdict = judge(photoReading({ neighbors }), CARDS)
    expect(verdict).toMatchObject({ status: 'not_found', candidates: [] })
    expect(verdict.message).toMatch(/^Neither a name nor a number could be read, and/)
    expect(verdict.read.game).toBe('')
  })

  test('does not apply if a card has the name that was read, even with another picture', () => {
    const print = printOf({ name: 'Card 1' })
    const verdict = judge(photoReading({ print, neighbors: [weak(2)] }), CARDS)
    expect([verdict.status, idsOf(verdict)]).toEqual(['ambiguous', [1]])
    const unseen = [candidateCard(1, { art_group: null }), ...CARDS.slice(1)]
    expect(judge(photoReading({ print, neighbors: [weak(2)] }), unseen).status).toBe('ambiguous')
  })

  test('does not apply if the letters of a line are the name of cards without pictures', () => {
    const lines = [unsureLine('Card 1'), unsureLine('88/99', { kind: 'number' })]
    const unseen = [candidateCard(1, { art_group: null, number: '4/102' }), ...CARDS.slice(1)]
    const verdict = judge(photoReading({ lines, neighbors: [weak(2), weak(3)] }), unseen)
    expect([verdict.status, idsOf(verdict)]).toEqual(['ambiguous', [1]])
  })

  test('applies if every number differs', () => {
    const print = printOf({ number: '99/200' })
    expect(judge(photoReading({ neighbors: ONE_OF_THREE, print }), CARDS).status).toBe('not_found')
  })
})

describe('unsupported', () => {
  const inLanguage = (language: string, card: CandidateCard) =>
    judge(photoReading({ neighbors: [certain(1)], print: { ...UNREAD, language } }), [card])
  const japanese = candidateCard(1, {
    game: { id: 85, slug: 'pokemon-japan', name: 'Pokemon Japan' },
  })

  test.each([
    ['', candidateCard(1), 'matched'],
    ['English', candidateCard(1), 'matched'],
    ['German', candidateCard(1), 'unsupported'],
    ['Japanese', candidateCard(1), 'unsupported'],
    ['Japanese', japanese, 'matched'],
    ['Korean', japanese, 'unsupported'],
  ] as const)('in the language "%s" of %o is %s', (language, card, status) => {
    const verdict = inLanguage(language, card)
    expect(verdict.status).toBe(status)
    expect(verdict.read.notes !== '').toBe(status === 'unsupported')
  })
})

describe('a game that the catalog does not list', () => {
  const owned = (by: string) => photoReading({ lines: [printedLine(by, { kind: 'other' })] })

  test.each([
    ['©2023 Konami', 'unsupported'],
    ['© 2024 Wizards of the Coast', 'not_found'],
    ['© 2024 Somebody', 'not_found'],
  ] as const)('by its line "%s" is %s', (by, status) => {
    const verdict = judge(owned(by), CARDS)
    expect([verdict.status, verdict.candidates]).toEqual([status, []])
    expect(verdict.read.notes !== '').toBe(status === 'unsupported')
  })

  test('is ignored if a card is plausible', () => {
    expect(judge({ ...owned('Konami'), neighbors: ONE_OF_THREE }, CARDS).status).toBe('matched')
  })
})

describe('for any reading', () => {
  const IDS = Array.from({ length: 16 }, (_, index) => index + 1)
  const someCards = fc.tuple(
    ...IDS.map((id) =>
      fc.record({
        art_group: fc.constantFrom(id, id, id, id, id, 1, 4, null),
        number: fc.constantFrom(`${id}/200`, '4/200', '4', null),
        name: fc.constantFrom(...Array(6).fill(`Card ${id}`), 'Card 1', 'Card 1 (Prerelease)'),
        product_type: fc.constantFrom('Cards', 'Cards', 'Sealed Products'),
      }),
    ),
  )
  const cards = someCards.map((facts) =>
    facts.map((of, at) => candidateCard(IDS[at] ?? 0, { ...of, clean_name: of.name })),
  )
  const rowsOf = (cosine: fc.Arbitrary<number>) =>
    fc.uniqueArray(
      fc.record({
        card_id: fc.constantFrom(...IDS),
        cosine,
        distance: fc.constantFrom(undefined, 120, 290, 330, 420),
      }),
      { selector: ({ card_id }) => card_id, maxLength: 16 },
    )
  // Often one certain card among many unlikely ones, as in real photos.
  const neighbors = fc.oneof(
    rowsOf(fc.double({ min: 0, max: 1, noNaN: true })),
    fc
      .tuple(fc.constantFrom(...IDS), rowsOf(fc.double({ min: 0, max: 0.75, noNaN: true })))
      .map(([best, rows]) => [certain(best), ...rows.filter(({ card_id }) => card_id !== best)]),
  )
  const print = fc.record({
    name: fc.constantFrom('', '', '', 'Card 1'),
    number: fc.constantFrom('', '', '', '4/200', '7/200'),
    stamp: fc.constantFrom(null, 'unclear', 'Prerelease'),
  })
  const readings = fc
    .record({
      neighbors,
      print,
      items: fc.constantFrom(1, 1, 1, 2),
      blur_mm: fc.constantFrom(0.1, 2),
    })
    .map(({ print: { stamp, ...read }, blur_mm, ...facts }): PhotoReading => {
      const quality = { ...GOOD_QUALITY, blur_mm }
      return photoReading({ ...facts, quality, print: { ...printOf(read), stamp } })
    })
  const all = (check: (reading: PhotoReading, of: CandidateCard[]) => void) =>
    fc.assert(fc.property(readings, cards, check), { numRuns: 400 })

  test('lists no candidate whose score is rounded to 0', () => {
    const cards = [
      candidateCard(1),
      candidateCard(2, { name: 'Card 1 (Prerelease)', number: '2/200' }),
    ]
    const print = { ...printOf({ name: 'Card 1', number: '1/200' }), stamp: null }
    const far = candidateCard(3, {
      name: 'Card 1',
      number: null,
      game: { id: 2, slug: 'b', name: 'B' },
    })
    const verdict = judge(photoReading({ print, neighbors: [certain(1)] }), [...cards, far])
    expect(verdict.candidates.map(({ score }) => Math.round(score * 10_000) > 0)).toEqual([true])
  })

  test('lists at most ten candidates, by descending score', () => {
    all((reading, of) => {
      const { candidates } = judge(reading, of)
      const scores = candidates.map(({ score }) => score)
      expect(scores.length).toBeLessThanOrEqual(CANDIDATES_MAX)
      expect(scores).toEqual(scores.toSorted((one, other) => other - one))
      // Only one of them can be the card.
      expect(scores.reduce((sum, score) => sum + score, 0)).toBeLessThan(1 + 1e-9)
      for (const score of scores) expect(score >= 0 && score <= 1).toBe(true)
    })
  })

  test('excludes cards with another number than the one read', () => {
    all((reading, of) => {
      if (!reading.print.readable.number) return
      const { number: printed } = reading.print
      const [number] = printed.split('/')
      for (const { card } of judge(reading, of).candidates) {
        // A truncated number does not exclude a certain picture.
        const isPart = card.number?.endsWith(printed) === true
        expect(card.number === null || isPart || card.number.split('/')[0] === number).toBe(true)
      }
    })
  })

  test('does not match a card with a consistent sibling', () => {
    all((reading, of) => {
      const { status, candidates } = judge(reading, of)
      const top = candidates[0]?.card
      if (status !== 'matched' || top === undefined) return
      const alone = (card: CandidateCard) =>
        judge({ ...reading, neighbors: [certain(card.id)] }, [card])
      const siblings = of.filter(
        (card) => card.id !== top.id && card.art_group === top.art_group && card.art_group !== null,
      )
      for (const sibling of siblings) expect(alone(sibling).status).not.toBe('matched')
    })
  })

  test('does not depend on the order of the input', () => {
    all((reading, of) => {
      const turned = { ...reading, neighbors: reading.neighbors.toReversed() }
      expect(judge(turned, of.toReversed())).toEqual(judge(reading, of))
    })
  })

  test('a poor photo or several cards never create a match', () => {
    all((reading, of) => {
      const good = judge({ ...reading, quality: GOOD_QUALITY, items: 1 }, of).status
      const { status } = judge(reading, of)
      if (status === 'matched') expect(good).toBe('matched')
      if (reading.items > 1) expect(status).toBe('retake')
    })
  })

  test('a higher similarity never removes a match', () => {
    const steps = fc.record({
      cosine: fc.double({ min: 0, max: 0.3, noNaN: true }),
      bits: fc.nat(99),
    })
    fc.assert(
      fc.property(readings, cards, steps, (reading, of, { cosine, bits }) => {
        const before = judge(reading, of)
        const best = before.candidates[0]?.card
        if (before.status !== 'matched' || best === undefined) return
        const better = reading.neighbors.map((row) =>
          row.card_id === best.id
            ? {
                card_id: row.card_id,
                cosine: Math.min(row.cosine + cosine, 1),
                distance: row.distance && Math.max(row.distance - bits, 0),
              }
            : row,
        )
        const after = judge({ ...reading, neighbors: better }, of)
        expect([after.status, after.candidates[0]?.card.id]).toEqual(['matched', best.id])
      }),
      { numRuns: 400 },
    )
  })
})
