/** Texts of channels: their list, their states and how one is added. */

export const channels = 'Channels'
export const testSent = 'Test sent.'
export const mailIsOnItsWay = 'The mail is on its way.'
export const addressUnreadable = 'Address unreadable'
export const sendMailAgainTo = (name: string | null) => `Send mail again to ${name}`
export const sendMailAgain = 'Send mail again'
export const sendTestTo = (name: string) => `Send test to ${name}`
export const sending = 'Sending…'
export const sendTest = 'Send test'
export const pause = 'Pause'
export const resume = 'Resume'
export const deleteNamed = (name: string) => `Delete ${name}`
export const deleteLabel = 'Delete'
export const active = 'Active'
export const paused = 'Paused'
export const notConfirmed = 'Not confirmed'
export const openTheLinkInTheMail = 'Open the link in the mail that was sent.'
export const stopped = 'Stopped'
export const somebodyOpenedTheLink = 'Somebody opened the link “Unsubscribe” in a message.'
export const addressDoesNotAcceptMail =
  'The address does not accept mail. Correct it, or resume once it does.'
export const subscriptionHasEnded = 'The webhook or the subscription has ended. Add it again.'
export const messagesFailed = 'Messages failed for days. Send a test, then resume.'
export const sendAlerts = 'Send alerts'
export const immediately = 'Immediately, one message per alert'
export const onceADayAt = (timeOf: string) => `Once a day, at ${timeOf}`
export const emailAddress = 'E-mail address'
export const urlOfTheTopic = 'URL of the topic'
export const webhookUrl = 'Webhook URL'
export const browser = 'Browser'
export const addAChannel = 'Add a channel'
export const addNamed = (name: string) => `Add ${name}`
export const addThisBrowser = 'Add this browser'
export const browserDoesNotAllow =
  'The browser does not allow notifications of this site. Allow them in its settings.'
export const accessToken = 'Access token, if the topic needs one'
export const addChannel = 'Add channel'
export const email = 'E-mail'
export const resumeNamed = (name: string) => `Resume ${name}`
export const pauseNamed = (name: string) => `Pause ${name}`
