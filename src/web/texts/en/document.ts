/** Texts that the script of server-rendered pages shows. */

export const copy = 'Copy'
export const copied = 'Copied'
export const selected = 'Selected. Copy it with your keyboard.'
