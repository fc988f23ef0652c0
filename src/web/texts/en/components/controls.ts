/** Texts of controls: dialogs, forms, menus and lists of pages. */
import type { ReactNode } from 'react'
import { pluralText } from '../../../format.ts'
import { type Markup, rich } from '../../rich-text.ts'

export const none = 'None.'
export const pages = 'Pages'
export const previous = 'Previous'
export const pageOf = ({ page, pages }: Record<'page' | 'pages', string>) =>
  `Page ${page} of ${pages}`
export const next = 'Next'
export const pageNotFound = 'Page not found'
export const listHasPages = (pages: number) =>
  pluralText(pages, { one: 'This list has # page.', other: 'This list has # pages.' })
export const goToLastPage = 'Go to last page'
export const close = 'Close'
export const email = 'E-mail'
export const passwordHint = 'At least 8 characters. A few random words work best.'
export const passwordTooShort = 'Use at least 8 characters.'
export const hide = 'Hide'
export const show = 'Show'
export const cancel = 'Cancel'
export const more = 'More'
export const save = 'Save'
export const name = 'Name'
export const keyIsShownOnce = 'The key cannot be shown again after you close this. Save it first.'
export const secretIsShownOnce =
  'The secret cannot be shown again after you close this. Save it first.'
export const iveSavedIt = 'I’ve saved it'
export const copied = 'Copied'
export const selected = 'Selected. Copy it with your keyboard.'
export const copy = 'Copy'
export const key = 'Key'
export const copyKey = 'Copy key'
export const link = 'Link'
export const copyLink = 'Copy link'
export const request = 'Request'
export const copyRequest = 'Copy request'
export const secret = 'Secret'
export const copySecret = 'Copy secret'
export const sendThisId = (requestId: ReactNode) =>
  rich`If this keeps happening, send this ID to the operator: ${requestId}`
export const youAreLoggedOut = (link: Markup) =>
  rich`You are logged out. ${link('Log in in a new tab')}, then try again. Your input stays here.`
export const aValue = 'A value'
export const inAMinute = 'in a minute'
export const whenAt = ({ when, time }: Record<'when' | 'time', string>) => `${when}, at ${time}`
export const tooManyAttempts = (when: string) => `Too many attempts. Try again ${when}.`
export const tryAgainWhen = ({ message, when }: Record<'message' | 'when', string>) =>
  `${message} Try again ${when}.`
export const isRequired = (label: string) => `${label} is required.`
