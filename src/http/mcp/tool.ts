import type { Static, TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** An endpoint of the API, as a language model calls and reads it. */
export type Tool = {
  name: string
  title: string
  /** Explains to a model when to call the tool, and what it returns. */
  description: string
  /** Endpoint that answers: `GET /v1/search`. It checks, charges and counts each call. */
  endpoint: string
  arguments: Readonly<Record<string, ToolArgument>>
  /** Schema of the structured content. */
  output: TObject
  /** Selects what a model needs from a response of the endpoint. */
  present(reply: Reply, source: DataSource): Presented
}

/** Describes an argument beyond the schema of the endpoint. */
export type ToolArgument = {
  /** Name of the endpoint's field, if it differs. */
  field?: string
  description?: string
  default?: unknown
}

/** A response of the API. */
export type Reply = { data: unknown; meta: unknown }

/** Facts about the catalog that no response has. */
export type DataSource = {
  /** Address of the dashboard. */
  publicUrl: string
  /** Time of the newest prices; null before the first sync. */
  published_at: string | null
}

/** A result of a tool: data that matches its schema, and a short text with the same facts. */
export type Presented = { content: Record<string, unknown>; text: string }

type TypedTool<Data, Meta, Output extends TObject> = Omit<Tool, 'output' | 'present'> & {
  output: Output
  /** Data for the output; members that are not in its schema are removed. */
  select(reply: { data: Data; meta: Meta }, source: DataSource): Static<Output>
  /** Lines of the text. */
  describe(content: Static<Output>): readonly string[]
}

/** Defines a tool. `Data` and `Meta` are the types that the endpoint returns, by its schemas. */
export function defineTool<Data, Meta, Output extends TObject>({
  select,
  describe,
  ...tool
}: TypedTool<Data, Meta, Output>): Tool {
  return {
    ...tool,
    present(reply, source) {
      // The contract tests check the responses of all endpoints against their schemas.
      const selected = select(reply as { data: Data; meta: Meta }, source)
      const content = Value.Clean(tool.output, selected) as Static<Output>
      return { content: content as Record<string, unknown>, text: describe(content).join('\n') }
    },
  }
}
