// Names that people give to things, which they and others read later.

/**
 * Pattern of a name: no control characters, line breaks, bidirectional marks, and other invisible
 * characters, which can make a name look like another. Letters of every script and emoji are valid, and
 * so are the joiners (U+200C, U+200D) and variation selectors that some of them need.
 */
export const LABEL_PATTERN =
  '^(?!.*\\udb40[\\udc00-\\udc7f])[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160' +
  '\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff' +
  '\\uffa0\\ufff0-\\uffff]*$'

/** Returns the problem with a name, for a sentence about it; undefined if it is valid. */
export function findLabelProblem(name: string): string | undefined {
  if (name === '' || [...name].length > LABEL_CHARACTERS_MAX) {
    return `must have 1 to ${LABEL_CHARACTERS_MAX} characters`
  }
  return isVisible(name) ? undefined : 'must not contain control characters or invisible characters'
}

/** Returns true if a text has only characters that a name may have. */
export function isVisible(text: string): boolean {
  return LABEL.test(text) && text.isWellFormed()
}

const LABEL = new RegExp(LABEL_PATTERN)

/** Maximum length of a name. */
export const LABEL_CHARACTERS_MAX = 100
