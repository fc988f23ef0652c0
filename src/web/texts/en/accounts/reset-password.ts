/** Texts of the pages that set a new password. */
import { type Markup, rich } from '../../rich-text.ts'

export const forgotYourPassword = 'Forgot your password?'
export const forgotLead = 'You get a mail with a link to set a new one.'
export const enterAValidEmailAddress = 'Enter a valid e-mail address.'
export const sendTheMail = 'Send the mail'
export const mailIsOnItsWay = (sentTo: string) =>
  `If ${sentTo} has an account, a mail is on its way. Its link works for one hour.`
export const rememberedItLogIn = (link: Markup) => rich`Remembered it? ${link('Log in')}`
export const setANewPassword = 'Set a new password'
export const itLogsYouOutEverywhereElse = 'It logs you out everywhere else.'
export const newPassword = 'New password'
export const setThePassword = 'Set the password'
export const requestAnotherMail = 'Request another mail'
export const passwordWasChanged = 'Your password was changed'
export const allSessionsHaveEndedLog = 'All sessions have ended. Log in with the new password.'
export const loginWasUnlinked =
  'A login of another site was unlinked: it was linked before this e-mail was confirmed.'
export const theseStillWork = 'These still work. If one of them is not yours, end them all.'
export const itemSince = ({ name, start, small }: { name: string; start: string; small: Markup }) =>
  rich`${name} ${small(`since ${start}`)}`
export const endThemAllAndLogIn = 'End them all and log in'
export const logIn = 'Log in'
export const keepThemAndLogIn = 'Keep them and log in'
export const loginWith = (label: string) => `Login with ${label}`
export const apiKey = ({
  name,
  keyPrefix,
  last4,
}: {
  name: string
  keyPrefix: string
  last4: string
}) => `API key “${name}” (${keyPrefix}…${last4})`
export const webhook = 'Webhook'
export const channel = ({ kind, name }: Record<'kind' | 'name', string>) => `${kind} ${name}`
export const unreadableChannel = (kind: string) => `${kind} with an unreadable address`
export const linkOfTheCollection = (name: string) => `Link of the collection “${name}”`
export const email = 'E-mail'
