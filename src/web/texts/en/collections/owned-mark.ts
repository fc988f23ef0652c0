/** Text of the mark of owned cards, which the first page has, too. */
export const ownedPrintings = (printings: string) => `Owned: ${printings}`
