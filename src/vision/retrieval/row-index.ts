/** Maps card ids to rows. */
export type RowIndex = {
  find(cardId: number): number | undefined
  /** Adds a card. It must not be in the index, and must already be stored in the row. */
  add(cardId: number, row: number): void
  /** Removes a card. It must be in the index, and must still be stored in its row. */
  remove(cardId: number): void
  count(): number
}

/**
 * Creates a hash table with open addressing and linear probing, at most half full. It takes 4 MB for 500,000
 * cards, because it stores only rows; a `Map` takes 37 MB.
 *
 * @param cardOf returns the card stored in a row
 */
export function createRowIndex(cardOf: (row: number) => number): RowIndex {
  let slots = new Int32Array(FIRST_SLOTS).fill(EMPTY)
  let count = 0

  /** Returns the first slot of a card. Spreads consecutive ids (Knuth's multiplicative hash). */
  const homeOf = (cardId: number) =>
    Math.imul(cardId, 0x9e3779b1) >>> (Math.clz32(slots.length) + 1)
  const after = (slot: number) => (slot + 1) & (slots.length - 1)
  const rowIn = (slot: number) => slots[slot] ?? EMPTY

  /** Returns the slot of a card, or the empty slot where its search ends. */
  function slotOf(cardId: number): number {
    let slot = homeOf(cardId)
    while (rowIn(slot) !== EMPTY && cardOf(rowIn(slot)) !== cardId) slot = after(slot)
    return slot
  }

  function grow(): void {
    const rows = slots.filter((row) => row !== EMPTY)
    slots = new Int32Array(slots.length * 2).fill(EMPTY)
    for (const row of rows) slots[slotOf(cardOf(row))] = row
  }

  /** Shifts later entries back into an empty slot, so that no search ends there. */
  function close(hole: number): void {
    let empty = hole
    for (let slot = after(hole); rowIn(slot) !== EMPTY; slot = after(slot)) {
      const home = homeOf(cardOf(rowIn(slot)))
      const mask = slots.length - 1
      if (((slot - home) & mask) < ((slot - empty) & mask)) continue
      slots[empty] = rowIn(slot)
      empty = slot
    }
    slots[empty] = EMPTY
  }

  return {
    find(cardId: number): number | undefined {
      const row = rowIn(slotOf(cardId))
      return row === EMPTY ? undefined : row
    },
    add(cardId: number, row: number): void {
      if (count * 2 >= slots.length) grow()
      slots[slotOf(cardId)] = row
      count++
    },
    remove(cardId: number): void {
      close(slotOf(cardId))
      count--
    },
    count: () => count,
  }
}

const EMPTY = -1
/** A power of two. */
const FIRST_SLOTS = 1024
