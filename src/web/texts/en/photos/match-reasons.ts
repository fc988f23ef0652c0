/** Texts that say how a candidate agrees with a photo. */

export const under = (score: string) => `under ${score}`
export const photoShowsSeveralCardsRead =
  'The photo shows several cards. Read all of them, or photograph one card at a time.'
export const suggestedPrinting = (suggestedPrinting: string) =>
  `Suggested printing: ${suggestedPrinting}`
export const printedTextCouldNotBeRead = 'The printed text could not be read with certainty'
export const recognizedFromAConfirmed = 'Recognized from a confirmed photo'
export const numberNotCompared = 'Number not compared'
export const sameNumber = 'Same number'
export const sameNumberButOnlyOneSide = 'Same number, but only one side has the set total'
export const editionStampDiffers = 'The edition stamp differs'

export const nameUnread = 'The name could not be read'
export const sameName = 'Same name'
export const partOfName = (part: string) => `${part} of the name matches`
export const differentName = 'Different name'
export const setUnread = 'The set could not be read'
export const sameSet = 'Same set'
export const partOfSet = (part: string) => `${part} of the set matches`
export const differentSet = 'Different set'
