// Shell completions, generated from the definitions of the commands. They are static: starting a program whenever the
// Tab key is pressed would take too long.
import { renderBash } from './completions/bash.ts'
import { createCompletionTable } from './completions/completion-table.ts'
import { renderFish } from './completions/fish.ts'
import { renderZsh } from './completions/zsh.ts'
import type { AnyCommand } from './definition.ts'

const RENDERERS = { bash: renderBash, zsh: renderZsh, fish: renderFish }

/** Renders the completions of a shell. @param program the words before a command, such as `bun run` */
export function renderCompletions(
  shell: keyof typeof RENDERERS,
  commands: readonly AnyCommand[],
  program: string,
): string {
  return RENDERERS[shell](createCompletionTable(commands, program))
}
