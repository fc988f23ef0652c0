/** Texts of the dialogs that import and export files. */
import { pluralText } from '../../../format.ts'
import { type Markup, rich } from '../../rich-text.ts'

export const exportCollection = (name: string) => `Export “${name}”`
export const format = 'Format'
export const othersLeftOut = (items: number) =>
  pluralText(items, {
    one: '# item of other games is left out.',
    other: '# items of other games are left out.',
  })
export const cancel = 'Cancel'
export const download = 'Download'
export const everythingCsv = 'Everything (CSV)'
export const fullExplained =
  'Keeps all that you have entered. Texts that a spreadsheet would run as a formula get an apostrophe.'
export const appExplained =
  'Written for the app, with names as they are: open it there, not in a spreadsheet. It keeps what the app knows.'
export const appByNumberExplained = `${appExplained} Sealed products, and sets that the app does not number, are left out.`
export const importTo = (name: string) => `Import to “${name}”`
export const gameOfRowsWithoutAGame = 'Game of rows without a game'
export const anyGame = 'Any game'
export const listsToWishlist = 'Put cards of watchlists, lists and decks on the wish list'
export const firstYouSee =
  'First you see which cards were found. Nothing is stored before you import them.'
export const findingCards = 'Finding the cards… A large file takes up to a minute.'
export const continueLabel = 'Continue'
export const knownApps = ({ files, lists, link }: { files: string; lists: string; link: Markup }) =>
  rich`Known apps: ${files}. Lists of ${lists} and these apps. ${link('Columns and lines that are understood')}`
export const file = 'File'
export const dropFile = 'Drop the file of an app here, or'
export const chooseFile = 'Choose file'
export const chooseAnotherFile = 'Choose another file'
export const removeFile = 'Remove file'
export const orPasteAList = 'Or paste a list'
export const listExample = '4 Absol ROS 40\n1 Umbreon [Evolving Skies]'
