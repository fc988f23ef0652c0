/** Texts of changes of many items. */
import { pluralText } from '../../../format.ts'

export const ok = 'OK'
export const undo = 'Undo'
export const changedElsewhere = (items: string) => `${items} changed elsewhere`
export const noLongerHere = (items: string) => `${items} no longer here`
export const withoutThisCard = (items: string) => `${items} without this card or printing`
export const itemsChanged = (items: number) =>
  pluralText(items, { one: '# item is changed.', other: '# items are changed.' })
export const itemsMoved = ({ items, to }: { items: number; to: string }) =>
  `${pluralText(items, { one: '# item is', other: '# items are' })} moved to “${to}”.`
export const itemsRemoved = (items: number) =>
  pluralText(items, { one: '# item is removed.', other: '# items are removed.' })
export const itemsRestored = (items: number) =>
  pluralText(items, { one: '# item is restored.', other: '# items are restored.' })
/** @param changed the sentence that says what was changed */
export const leftAsTheyAre = ({ changed, left }: Record<'changed' | 'left', string>) =>
  `${changed} Left as they are: ${left}.`
export const editItems = (number: number) =>
  `Edit ${pluralText(number, { one: '# item', other: '# items' })}`
export const condition = 'Condition'
export const printing = 'Printing'
export const language = 'Language'
export const place = 'Place'
export const targetPriceUsd = 'Target price (USD)'
export const pricePaidForEachCopy = 'Price paid for each copy'
export const enterAnAmount = 'Enter an amount such as 12.50.'
export const cancel = 'Cancel'
export const save = 'Save'
export const keep = 'Keep'
export const moveItems = (number: number) =>
  `Move ${pluralText(number, { one: '# item', other: '# items' })}`
export const move = 'Move'
export const selectedItems = 'Selected items'
export const done = 'Done'
export const itemsSelected = (items: number) =>
  `${pluralText(items, { one: '# item', other: '# items' })} selected`
export const selectPage = 'Select page'
export const selectAll = (items: string) => `Select all ${items}`
export const clear = 'Clear'
export const edit = 'Edit'
export const remove = 'Remove'
export const removeItems = (items: number) =>
  `Remove ${pluralText(items, { one: '# item', other: '# items' })}?`
export const removalExplained =
  'You can undo this directly afterwards. Items that come back count as added at that time.'
export const removalExplainedExcept = (lost: number) =>
  `You can undo this directly afterwards, except for ${pluralText(lost, { one: '# item', other: '# items' })} whose card or printing is no longer in the catalog. Items that come back count as added at that time.`
