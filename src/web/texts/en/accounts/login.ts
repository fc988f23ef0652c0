/** Texts of the pages to log in, to register and to confirm an address. */

import { type Markup, rich } from '../../rich-text.ts'

export const youAreLoggedInAs = (email: string) => `You are logged in as ${email}.`
export const passwordWasChanged = 'Your password was changed. Log in with the new one.'
export const password = 'Password'
export const forgotYourPassword = 'Forgot your password?'
export const invitation = 'Invitation'
export const invitationHint = 'The code that the operator of this server sent you.'
export const registrationIsClosed = 'Registration is closed'
export const operatorCreatesAccounts = 'The operator of this server creates all accounts.'
export const getAnAccount = 'Ask the operator for an account.'
export const alreadyHaveAnAccount = (link: Markup) =>
  rich`Already have an account? ${link('Log in')}`
export const logIn = 'Log in'
export const logInLead = 'Access your keys, quota and scans.'
export const loggingIn = 'Logging in…'
export const newHere = (link: Markup) => rich`New here? ${link('Create account')}`
export const createAccount = 'Create account'
export const registerLead = 'Free, with 100 requests per day and 25 scans.'
export const creatingAccount = 'Creating account…'
export const invitationIsNotValid =
  'This invitation is not valid for this e-mail. It may be used or expired.'
export const wrongEmailOrPassword = 'Wrong e-mail or password.'
export const emailHasAnAccount = 'This e-mail already has an account. Log in instead.'
export const enterAValidEmailAddress = 'Enter a valid e-mail address.'
export const logInWith = (label: string) => `Log in with ${label}`
export const providerLoginFailed = 'The login with the provider did not work. Start again.'
export const confirmYourEmailFirst =
  'Confirm your e-mail first: a mail with a link is on its way. Then link the login again.'
export const accountExists =
  'An account with this e-mail already exists. Log in with its password, then link the provider on the security page.'
export const loginIsLinkedToAnother =
  'This login is linked to another account, or your account to another login.'
export const noAccountIsLinkedButInvited =
  'No account is linked to this login. Create one with your invitation, then link it on the security page.'
export const loginProviderDoesNotAnswer =
  'The login provider does not answer. Log in with your password, or try again in a minute.'
export const noAccountIsLinked =
  'No account is linked to this login. Log in with your password, then link it on the security page.'
export const sessionHasChanged = 'Your session has changed in the meantime. Link the account again.'
export const tooManyAccountsWereCreated =
  'Too many accounts were created from your network. Try again in an hour.'
export const confirmYourEmail = 'Confirm your e-mail'
export const oneClick = 'One click, and you can log in.'
export const isConfirmed = (email: string) => `${email} is confirmed.`
export const confirm = 'Confirm'
export const anotherMailIsOnItsWay = (email: string) => `Another mail is on its way to ${email}.`
export const sendTheMailAgain = 'Send the mail again'
export const email = 'E-mail'
