/** Texts of the security page: sessions, password, login provider, and the account's data. */

export const security = 'Security'
export const changePassword = 'Change password'
export const currentPassword = 'Current password'
export const wrongPassword = 'Wrong password.'
export const newPassword = 'New password'
export const atLeast8CharactersAllOther =
  'At least 8 characters. All other sessions are logged out.'
export const passwordChanged = 'Password changed.'
export const sessions = 'Sessions'
export const logOutOfThisBrowser = 'Log out of this browser'
export const endAllOtherSessions = 'End all other sessions'
export const logOutEverywhere = 'Log out everywhere'
export const unknownBrowser = 'Unknown browser'
export const thisBrowser = 'This browser'
export const since = (start: string) => `Since ${start}`
export const sinceFrom = ({ start, network }: Record<'start' | 'network', string>) =>
  `Since ${start}, from ${network}`
export const lastActiveExpires = ({
  lastSeenAt,
  expiresAt,
}: Record<'lastSeenAt' | 'expiresAt', string>) => `Last active ${lastSeenAt}, expires ${expiresAt}`
export const endTheSessionOf = (name: string) => `End the session of ${name}`
export const end = 'End'
export const loginProvider = 'Login provider'
export const linkThisAccount = (label: string) =>
  `Link this account to log in with ${label} instead of the password.`
export const linkedToSince = ({ label, linkedAt }: Record<'label' | 'linkedAt', string>) =>
  `Linked to ${label} since ${linkedAt}.`
export const accountHasNoPassword = (label: string) =>
  `This account has no password. You can log in only with ${label}.`
export const linkTo = (label: string) => `Link to ${label}`
export const unlink = 'Unlink'
export const yourData = 'Your data'
export const dataLead =
  'The file has everything that this server stores about the account: keys, webhooks, collections, scans, orders and payments. It is JSON, and contains no secrets.'
export const exportMyData = 'Export my data'
export const deleteAccount = 'Delete account'
export const deleteYourAccount = 'Delete your account?'
export const deletedAtOnce =
  'Keys, webhooks, collections and scans are deleted at once. Open orders are canceled, and a subscription ends today without a refund. You cannot undo this.'
export const paymentsStay =
  'Payments stay in the books of this server under a number, without your e-mail address. Older backups keep your data until they expire.'
export const emailOfThisAccount = 'E-mail of this account'
export const notTheEmail = 'This is not the e-mail of this account.'
export const password = 'Password'
export const cancel = 'Cancel'
export const email = 'E-mail'
