import { Type } from '@sinclair/typebox'
import { endAccess } from '#actions/accounts/account-access.ts'
import { endOtherSessions, endSession } from '#actions/accounts/manage-sessions.ts'
import type { Deps } from '#deps.ts'
import { line } from '../../input/fields.ts'
import { namedObject } from '../../openapi/schemas.ts'
import { EndedAccessSchema } from '../../schemas/account-access.ts'
import type { Server } from '../../server.ts'

const EndedSessionsSchema = namedObject('EndedSessions', {
  ended: Type.Integer({ description: 'Number of ended sessions.' }),
})

/** Ends sessions of other browsers, which `GET /v1/auth/me` lists, and what leads into an account without one. */
export function sessionRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('DELETE /v1/auth/sessions', {
    auth: 'session',
    id: 'endOtherSessions',
    tag: 'Account',
    summary: 'End all other sessions',
    description: 'The session that sends the request continues.',
    returns: 'The number of ended sessions.',
    reply: EndedSessionsSchema,
    async respond({ principal: session, clientAddress }) {
      return { data: { ended: await endOtherSessions(deps, session, clientAddress) } }
    },
  })

  endpoint('DELETE /v1/auth/sessions/:session_id', {
    auth: 'session',
    id: 'endSession',
    tag: 'Account',
    summary: 'End a session',
    description: 'Its browser has to log in again.',
    params: { session_id: line({ description: 'ID of the session.' }) },
    refusals: { 404: 'Session not found.' },
    returns: 'The number of ended sessions, which is 1.',
    reply: EndedSessionsSchema,
    async respond({ principal: session, params: { session_id: id }, clientAddress: address }) {
      await endSession(deps, session, { id, address })
      return { data: { ended: 1 } }
    },
  })

  endpoint('DELETE /v1/auth/access', {
    auth: 'session',
    id: 'endAccess',
    tag: 'Account',
    summary: 'End all API keys, channels, webhooks and links',
    description:
      'Deactivates API keys, deletes channels and webhooks, ends links of collections, and unlinks the login provider if there is a password.',
    returns: 'How much was ended.',
    reply: EndedAccessSchema,
    async respond({ principal: session, clientAddress }) {
      return { data: await endAccess(deps, session, clientAddress) }
    },
  })
}
