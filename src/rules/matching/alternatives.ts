/** Maximum number of cards that a match lists as alternatives (specification, Bulk and export). */
export const ALTERNATIVES_MAX = 3
