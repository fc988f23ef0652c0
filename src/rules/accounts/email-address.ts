import { domainToASCII, domainToUnicode } from 'node:url'
import confusables from '../../../data/confusables.txt' with { type: 'text' }

/**
 * Returns true for text, @, and the name of a domain, without spaces and invisible characters: only sending a mail could
 * prove more. Characters that quote, group or separate addresses in a mail are refused, because a mail client
 * would remove or interpret them.
 */
export function isEmailAddress(email: string): boolean {
  return EMAIL.test(email) && !INVISIBLE.test(email)
}

/** Returns the mailbox of an address, by which mails are counted: in lower case, with an ASCII domain and without a `+` part. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const [owner = ''] = email.slice(0, at).split('+', 1)
  const domain = email.slice(at + 1)
  return `${owner}@${(domainToASCII(domain) || domain).replace(/\.$/, '')}`.toLowerCase()
}

/** Returns true if the address contains non-ASCII characters, also encoded in a name such as `xn--…`. */
export function isInternational(email: string): boolean {
  return /[^\x20-\x7e]|xn--/i.test(email)
}

/**
 * Returns a text that is equal for similar-looking addresses, by the skeletons of Unicode Technical Standard 39. Case
 * is ignored, as for accounts, so 1, I, i and l are equal, too. Never throws.
 */
export function emailSkeleton(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  const written = email.slice(0, at) + (domainToUnicode(domain) || domain)
  const visible = written.normalize('NFKD').replace(/\p{DI}/gu, '')
  // Some letters look like Latin ones only in one case.
  const folded = replaceConfusables(replaceConfusables(visible).toLowerCase().normalize('NFKD'))
  const letters = folded.toLowerCase().replace(/[1i|]/g, 'l').replaceAll('0', 'o')
  return letters
    .replaceAll('m', 'rn')
    .replace(/l\u0307/g, 'l')
    .normalize('NFKD')
}

function replaceConfusables(text: string): string {
  return [...text].map((character) => LOOKS_LIKE.get(character) ?? character).join('')
}

const LOOKS_LIKE: ReadonlyMap<string, string> = readConfusables(confusables)

/** Reads data/confusables.txt: the Latin text that each character looks like. */
function readConfusables(table: string): Map<string, string> {
  const rows = table.split('\n').filter((line) => /^[0-9a-f]/.test(line))
  return new Map(
    rows.flatMap((row) => {
      const [looksLike = '', characters = ''] = row.split(';').map(decodePoints)
      return Array.from(characters, (character) => [character, looksLike] as const)
    }),
  )
}

function decodePoints(codes: string): string {
  const points = codes.trim().split(' ')
  return String.fromCodePoint(...points.map((code) => Number.parseInt(code, 16)))
}

const EMAIL = /^[^\s@<>()[\]:;,"\\\p{C}]{1,64}@[\p{L}\p{M}\p{N}._-]{1,255}$/u

/** Characters that are invisible or look like a space (Default_Ignorable_Code_Point; Braille blank). */
const INVISIBLE = /[\p{DI}\u2800]/u
