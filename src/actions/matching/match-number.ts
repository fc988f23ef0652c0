import type { Deps } from '#deps.ts'
import { isSameNumber } from '#rules/catalog/number-forms.ts'
import type { ListLine } from '#rules/matching/parse-list-line.ts'
import type { NameItem, NameMatch } from './name-match.ts'
import type { SetReading } from './read-sets.ts'

/**
 * Returns a function that finds the card of a line with a collector number and no name: `4xOP01-016`. A
 * number with a set in it means the card of this set.
 */
export function createNumberMatcher({ candidates, games, names, sets }: Deps['catalog']) {
  return (
    line: ListLine,
    item: NameItem,
    readings: readonly SetReading[],
  ): NameMatch | undefined => {
    const [written] = line.readings
    const number = written?.name ?? ''
    if (readings.length > 0 || !CODED_NUMBER.test(number)) return undefined
    const gameId = item.game === undefined ? undefined : games.getBySlugOrId(item.game)?.id
    const ids = candidates.findByNumbers([number], { gameId, limit: NAMESAKES_MAX })
    const ofSet = sets.findIds(number.replace(/-.*$/, ''), gameId)
    const facts = names.getFacts(ids).filter((card) => isSameNumber(number, card.number ?? ''))
    const sorted = facts.toSorted(
      (a, b) => Number(ofSet.includes(b.set_id)) - Number(ofSet.includes(a.set_id)),
    )
    const [first, ...others] = sorted
    if (first === undefined) return undefined
    return {
      card_id: first.id,
      confidence: 'medium',
      corrected_name: first.name,
      alternatives: others.slice(0, 3).map(({ id }) => id),
      line: {
        quantity: line.quantity,
        name: first.name,
        set: undefined,
        number,
        printing: line.printing,
        ignored: [],
      },
    }
  }
}

/** `OP01-016`, `ST10-001`, `P-001`, `WTR169`: letters, then digits. */
const CODED_NUMBER = /^[A-Z]{1,5}\d{0,3}-?\d{2,4}(?:_\w+)?$/i

const NAMESAKES_MAX = 20
