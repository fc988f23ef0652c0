// The parts of the provider that the tests use, because the package has no types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  type Context = {
    oidc: { client?: { clientId: string }; session?: { accountId?: string } }
  }

  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: object[]
        findAccount(
          context: unknown,
          sub: string,
        ): { accountId: string; claims(): Promise<Record<string, unknown>> }
        interactions: { url(context: unknown, interaction: { uid: string }): string }
        loadExistingGrant(context: Context): Promise<Grant>
        [setting: string]: unknown
      },
    )
    Grant: new (owner: {
      clientId: string
      accountId: string
    }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => unknown
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string } },
    ): Promise<void>
  }
}
