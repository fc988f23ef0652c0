/** Texts of converted prices. */

export const convertedAt = ({ rate, day }: Record<'rate' | 'day', string>) =>
  `Converted from US dollars at ${rate} (${day})`
