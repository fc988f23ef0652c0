/** True in the executable, which is called by itself and has no source tree. */
export const isStandalone = Bun.main.startsWith('/$bunfs/')

/** The words before the name of a command, for messages. */
export const PROGRAM = isStandalone ? 'cardstock' : 'bun run'
