/**
 * A message as it may leave the machine: its first line, without e-mail addresses, credentials in
 * addresses, keys, who somebody is at Stripe, and folders of the machine (the names of files stay).
 */
export function redact(text: string): string {
  const [line = ''] = text.slice(0, READ_MAX).split('\n')
  const told = REPLACEMENTS.reduce((rest, [pattern, by]) => rest.replace(pattern, by), line).trim()
  return told.length > LENGTH_MAX ? `${told.slice(0, LENGTH_MAX - 1)}…` : told
}

const LENGTH_MAX = 300
/** What is cut off first is never looked at: a message may hold a whole answer of another machine. */
const READ_MAX = 4 * LENGTH_MAX

const REPLACEMENTS: readonly [RegExp, string][] = [
  // The secret part of a key is shorter than what is taken for a secret below.
  [/\b(?:tcg_live|whsec|sk|rk|pk)_\w+/g, '…'],
  [/\b(?:cus|sub)_\w+/g, '…'],
  [/[^\s/"'<>]+@(?=[^\s])[^\s/"'<>]*/g, '…'],
  [/\b[A-Za-z0-9_+=-]{32,}/g, '…'],
  [/\bfile:\/\/\S*\/(?=\S)/g, 'file:'],
  // Not within an address of the web, whose path begins behind its host.
  [/(?<![\w:/.…-])\/(?:[^\s/"'<>]+\/)+/g, ''],
]
