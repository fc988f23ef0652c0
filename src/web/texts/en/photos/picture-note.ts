/** Texts of the note about pictures that are not indexed. */

export const indexedOf = ({ indexed, cards }: Record<'indexed' | 'cards', string>) =>
  `Pictures: ${indexed} of ${cards} indexed`
export const indexedOfReady = ({
  indexed,
  cards,
  ready,
}: Record<'indexed' | 'cards' | 'ready', string>) =>
  `Pictures: ${indexed} of ${cards} indexed, ready ${ready}`
export const atAbout = (time: string) => `at about ${time}`
export const about = (time: string) => `about ${time}`
export const withoutItsPictureACard =
  'Without its picture, a card is found by its print: photograph it so that you can read its name and number.'
export const serverIndexesThem =
  'The server indexes them in the background, sets that you scan and own first. If it cannot reach them, it tries again every hour.'
export const mostOfTheOthers =
  'Most of the others are placeholders, or could not be indexed yet. The server tries again in the background.'
export const operatorHasTurnedTheirIndex =
  'The operator has turned their index off (INDEX_PICTURES).'
export const operator = 'Operator'
