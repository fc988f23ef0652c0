/** Texts of the operator's settings. */

export const settings = 'Settings'
export const changesTakeEffectAtOnce = 'Changes take effect at once.'
export const operator = 'Operator'
export const save = 'Save'
export const setInTheEnvironment = (answer: string) =>
  `${answer}: set in the server’s environment, where it can be changed.`
export const saved = 'Saved.'
