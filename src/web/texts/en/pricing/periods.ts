/** Periods of price changes, where there is little room. */
export const hours24 = '24 h'
export const days7 = '7 d'
export const days30 = '30 d'
