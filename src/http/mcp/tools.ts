import { CARD_TOOLS } from './card-tools.ts'
import { COLLECTION_TOOLS } from './collection-tools.ts'
import { HISTORY_TOOL } from './history-tool.ts'
import { LIST_TOOL } from './list-tool.ts'
import { SET_TOOLS } from './set-tools.ts'
import type { Tool } from './tool.ts'

/** Tools of the MCP server, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  ...CARD_TOOLS,
  HISTORY_TOOL,
  LIST_TOOL,
  ...SET_TOOLS,
  ...COLLECTION_TOOLS,
]
