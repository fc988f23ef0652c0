/** So much of a checkout's id is enough to quote: eight characters after its mark. */
const SHORT = 11

/** What a customer quotes of a checkout's id, for the operator to find it by. */
export function shortReference(id: string): string {
  return id.slice(0, SHORT)
}

/** Whether this is enough of a checkout's id to look it up by. */
export function isCheckoutReference(text: string): boolean {
  return text.startsWith('co_') && text.length >= SHORT
}

/** An address as others may see it who come by a link: a***@example.com. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email.slice(0, at)][0] ?? ''}***${email.slice(at)}`
}
