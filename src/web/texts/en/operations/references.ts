/** Texts of the page of references. */
import type { ReactNode } from 'react'
import { pluralText } from '../../../format.ts'
import { rich } from '../../rich-text.ts'

export const references = 'References'
export const referencesLead =
  'Photos that people have named. Later photos of their cards are compared with them.'
export const operator = 'Operator'
export const exportLabel = 'Export'
export const referenceCount = (total: number) =>
  pluralText(total, { one: '# reference', other: '# references' })
export const ofTheCard = (card: ReactNode) => rich`Of the card ${card}`
export const allCards = 'All cards'
export const ofTheAccount = (email: ReactNode) => rich`Of the account ${email}`
export const allAccounts = 'All accounts'
export const removeAllOfThisAccount = 'Remove all of this account'
export const removeAllReferencesOf = (email: string) => `Remove all references of ${email}?`
export const removeAll = 'Remove all'
export const removeAllExplained =
  'Those of all cards are removed, for good. Photos that agreed with them alone are no longer used. The account stays, and can name other photos.'
export const noSuchReferences = 'No such references'
export const nobodyHasNamedAPhoto = 'Nobody has named a photo so, or it was removed.'
export const showAll = 'Show all'
export const noReferencesYet = 'No references yet'
export const noReferencesText =
  'A photo is listed here once somebody has confirmed or corrected its card.'
export const card = 'Card'
export const namedBy = 'Named by'
export const named = 'Named'
export const state = 'State'
export const remove = 'Remove'
export const removeTheReferenceOf = (nameOf: string) => `Remove the reference of ${nameOf}`
export const noLongerInTheCatalog = 'No longer in the catalog'
export const cardOfId = (cardId: number) => `card ${cardId}`
export const accepted = 'Accepted'
export const notUsed = 'Not used'
export const removeThisReferenceOf = (nameOf: string) => `Remove this reference of ${nameOf}?`
export const removeExplained =
  'Later photos are no longer compared with it, and the same photo does not become a reference again.'
