/**
 * Redacts a message that leaves the machine. Keeps its first line without e-mail addresses, credentials in URLs,
 * keys, Stripe customer ids and local folders; file names are kept.
 */
export function redact(text: string): string {
  const [line = ''] = text.slice(0, READ_MAX).split('\n')
  const redacted = REPLACEMENTS.reduce(
    (rest, [pattern, by]) => rest.replace(pattern, by),
    line,
  ).trim()
  return redacted.length > LENGTH_MAX ? `${redacted.slice(0, LENGTH_MAX - 1)}…` : redacted
}

const LENGTH_MAX = 300
/** Limits the text to search, because a message may contain a whole response from another server. */
const READ_MAX = 4 * LENGTH_MAX

const REPLACEMENTS: readonly [RegExp, string][] = [
  // The secret part of these keys is shorter than the pattern for secrets below.
  [/\b(?:tcg_live|whsec|sk|rk|pk)_\w+/g, '…'],
  [/\b(?:cus|sub)_\w+/g, '…'],
  [/[^\s/"'<>]+@(?=[^\s])[^\s/"'<>]*/g, '…'],
  [/[A-Za-z0-9_+=-]{32,}/g, '…'],
  [/\bfile:\/\/\S*\/(?=\S)/g, 'file:'],
  // Skips web URLs, whose path follows the host.
  [/(?<![\w:/.…-])\/(?:[^\s/"'<>]+\/)+/g, ''],
]
