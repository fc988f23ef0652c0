import type { Deps } from '#deps.ts'
import { isNamed, normalizeName } from '#rules/catalog/trigrams.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import { type Certainty, rateExact } from '#rules/matching/certainty.ts'
import type { Preference } from '#rules/matching/preference.ts'
import { removeVariantWords } from '#rules/matching/variants.ts'
import type { CardFacts } from '#store/catalog/card-facts.ts'
import { orderNamesakes } from './choose-cards.ts'
import { createVariantChooser, type VariantChoice } from './find-variant.ts'
import type { NameIndexes, NameMatch } from './name-index.ts'

/** Returns a function that takes the variant which a line names instead of the card that it means otherwise. */
export function createLineVariants(
  { names }: Pick<Deps['catalog'], 'names'>,
  indexes: NameIndexes,
  prefer: Preference,
) {
  const chooseVariant = createVariantChooser({ names }, indexes)

  return function* takeVariant(answer: NameMatch): Generator<undefined, NameMatch> {
    const { printing, number, setCount, additions } = answer.line
    if (printing === undefined && additions.length === 0) return answer
    const cards = names.getFacts([answer.card_id])
    const choice = yield* chooseVariant({
      cards,
      labels: [printing ?? ''],
      additions,
      isNumbered: number !== undefined,
      number,
      isInSet: setCount > 0,
      order: orderNamesakes(prefer, printing),
    })
    const [card] = choice.cards
    if (choice.outcome === 'none' || card === undefined) return answer
    const isFound = choice.outcome !== 'missing'
    const known = answer.line.ignored.filter((part) => !isFound || part !== 'words_ignored')
    const ignored = [...known, ...choice.notes]
    const alternatives = [...choice.cards.slice(1), ...cards].map(({ id }) => id)
    const chosen: NameMatch = {
      ...answer,
      card_id: card.id,
      alternatives: [...new Set([...alternatives, ...answer.alternatives])]
        .filter((id) => id !== card.id)
        .slice(0, ALTERNATIVES_MAX),
      line: { ...answer.line, ignored },
    }
    if (!isFound) return { ...chosen, certainty: 'guessed' }
    return {
      ...chosen,
      certainty: rateCertainty(chosen, card, choice),
      printing: removeVariantWords([printing ?? '', ...additions].join(' ').trim(), card),
    }
  }
}

/** Rates a variant that a line names. Other sets of a shared code may have it, too. */
function rateCertainty(
  { line }: NameMatch,
  card: CardFacts,
  { outcome, cards }: VariantChoice,
): Certainty {
  const isExact = isNamed(card.name, normalizeName(line.name))
  if (outcome === 'several' || !isExact || line.ignored.length > 0) return 'guessed'
  const isNumbered = line.number !== undefined
  const isOnly = line.setCount < 2 && cards.length === 1
  return rateExact({ setCount: line.setCount, isNumbered, isOnly })
}
