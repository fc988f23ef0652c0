/** Length of a short reference: the prefix and eight characters. */
const SHORT = 11

/** Returns the short reference by which a customer and the operator refer to a checkout. */
export function shortReference(id: string): string {
  return id.slice(0, SHORT)
}

/** Returns true if the text is long enough to look up a checkout by it. */
export function isCheckoutReference(text: string): boolean {
  return text.startsWith('co_') && text.length >= SHORT
}

/** Masks an e-mail address for anyone who opens the link of a checkout: a***@example.com. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email.slice(0, at)][0] ?? ''}***${email.slice(at)}`
}
