import { useEffect, useReducer } from 'react'
import type { CollectionItem } from '#client/endpoints.ts'
import { EMPTY_SELECTION, reduceSelection } from './selection.ts'

/** Items that are selected for a common change. */
export type ItemSelection = {
  items: ReadonlyMap<string, CollectionItem>
  /** Selects or deselects an item; with `isRange` also those between it and the one before. */
  toggle(item: CollectionItem, listed: readonly CollectionItem[], isRange: boolean): void
  add(items: readonly CollectionItem[]): void
  /** Selects items that are not known yet, unless they are deselected or the selection is cleared before. */
  addLater(items: Promise<readonly CollectionItem[]>): Promise<void>
  clear(): void
}

/** Selects items. Those that are listed are kept as they are listed. */
export function useSelection(listed: readonly CollectionItem[] | undefined): ItemSelection {
  const [state, dispatch] = useReducer(reduceSelection, EMPTY_SELECTION)
  useEffect(() => {
    if (listed !== undefined) dispatch({ type: 'refresh', items: listed })
  }, [listed])
  return {
    items: state.items,
    toggle: (item, list, isRange) => dispatch({ type: 'toggle', item, listed: list, isRange }),
    add: (items) => dispatch({ type: 'add', items }),
    addLater: async (items) => dispatch({ type: 'add', items: await items, since: state }),
    clear: () => dispatch({ type: 'clear' }),
  }
}
