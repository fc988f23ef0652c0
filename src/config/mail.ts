import { isEmailAddress } from '#rules/accounts/email-address.ts'
import type { Environment, SettingReader } from './setting-reader.ts'

/** Server that sends mail, and its sender. */
export type MailSettings = {
  /** `smtp://` or `smtps://`, with the user name and password if the server requires them. */
  url: string
  from: MailSender
}

/** Sender of all mail: its name, which may be empty, and its address. */
export type MailSender = { name: string; address: string }

/** Reads the mail settings; undefined if no mail is sent. */
export function readMail(env: Environment, read: SettingReader): MailSettings | undefined {
  const url = env.SMTP_URL || undefined
  const sender = env.MAIL_FROM || undefined
  if (url === undefined && sender === undefined) return undefined
  if (url === undefined) read.fault('MAIL_FROM requires SMTP_URL, the server that sends the mail.')
  if (sender === undefined) read.fault('SMTP_URL requires MAIL_FROM, the sender of all mail.')
  const isUrl = URL.canParse(url ?? '') && /^smtps?:\/\/[^/]/.test(url ?? '')
  if (url !== undefined && !isUrl) {
    // The URL may contain a password.
    read.fault('SMTP_URL is not the URL of a mail server. Use smtp://user:password@host:587.')
  }
  const from = parseSender(sender ?? '')
  if (sender !== undefined && from === undefined) {
    read.fault(`MAIL_FROM is "${sender}". Use an address such as Cards <cards@shop.example>.`)
  }
  return { url: url ?? '', from: from ?? { name: '', address: '' } }
}

/** Parses `Name <address>` or an address. */
function parseSender(text: string): MailSender | undefined {
  const [, name = '', address = ''] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? ['', '', text]
  if (!isEmailAddress(address)) return undefined
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}
