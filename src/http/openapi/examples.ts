import examples from './examples.json' with { type: 'json' }

/** Bodies of one operation, from the sample catalog. */
export type OperationExamples = { request?: unknown; response?: unknown }

/** Examples of the API document; test/contract/examples.test.ts writes them from golden bodies. */
export const EXAMPLES: {
  operations: Readonly<Record<string, OperationExamples>>
  /** Bodies of the error responses, by their names. */
  failures: Readonly<Record<string, unknown>>
  /** Bodies that the service sends, by event. */
  webhooks: Readonly<Record<string, unknown>>
} = examples
