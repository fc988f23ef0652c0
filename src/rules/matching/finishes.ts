/** Finishes by the words and marks that people and apps write on a line of a list: lower case, letters only. */
export const FINISHES: ReadonlyMap<string, string> = new Map([
  ['f', 'Foil'],
  ['foil', 'Foil'],
  ['e', 'Etched Foil'],
  ['fe', 'Etched Foil'],
  ['fetch', 'Etched Foil'],
  ['etched', 'Etched Foil'],
  ['etchedfoil', 'Etched Foil'],
  ['ph', 'Reverse Holofoil'],
  ['rh', 'Reverse Holofoil'],
  ['reverse', 'Reverse Holofoil'],
  ['reverseholo', 'Reverse Holofoil'],
  ['holo', 'Holofoil'],
  ['nonfoil', 'Normal'],
])
