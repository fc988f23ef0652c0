import { Type } from '@sinclair/typebox'
import { endOtherSessions, endSession } from '#actions/accounts/manage-sessions.ts'
import type { Deps } from '#deps.ts'
import { line } from '../../input/fields.ts'
import { namedObject } from '../../openapi/schemas.ts'
import type { Server } from '../../server.ts'

const EndedSessionsSchema = namedObject('EndedSessions', {
  ended: Type.Integer({ description: 'Number of ended sessions.' }),
})

/** Ends sessions of other browsers. `GET /v1/auth/me` lists them. */
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
    description:
      'Its browser has to log in again. `POST /v1/auth/logout` ends the current session.',
    params: { session_id: line({ description: 'ID of the session.' }) },
    refusals: { 404: 'Session not found.' },
    returns: 'The number of ended sessions, which is 1.',
    reply: EndedSessionsSchema,
    async respond({ principal: session, params: { session_id: id }, clientAddress: address }) {
      await endSession(deps, session, { id, address })
      return { data: { ended: 1 } }
    },
  })
}
