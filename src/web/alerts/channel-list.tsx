import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AlertChannel } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery, refetchAfterChange } from '../query-client.ts'
import { CHANNEL_NAMES, channelState } from './channel-text.ts'
import { DigestSelect } from './digest-select.tsx'
import { NewChannel } from './new-channel.tsx'

/** Lists the channels of the account, and adds new ones. */
export function ChannelList() {
  // No account has more.
  const result = useQuery(apiQuery('/v1/channels', { query: { per_page: 100 } }))
  return (
    <section className="stack tight" aria-labelledby="channels">
      <h2 id="channels">Channels</h2>
      <QueryError query={result} />
      {result.isPending && <LineSkeleton />}
      {result.data !== undefined && (
        <>
          {result.data.data.length > 0 && (
            <ul className="panel notifications">
              {result.data.data.map((channel) => (
                <ChannelItem key={channel.id} channel={channel} />
              ))}
            </ul>
          )}
          <NewChannel meta={result.data.meta} />
          <DigestSelect />
        </>
      )}
    </section>
  )
}

function ChannelItem({ channel }: { channel: AlertChannel }) {
  const { id, kind, status } = channel
  const [note, setNote] = useState<{ tone: 'good' | 'bad'; text: string }>()
  const path = { id }
  const state = channelState(channel)
  const name = `${CHANNEL_NAMES[kind].name} ${channel.name ?? ''}`
  const isActive = status === 'active'
  const test = useAction(async () => {
    setNote(undefined)
    const { error } = (await api.post('/v1/channels/{id}/test', { path })).data
    setNote(error === null ? { tone: 'good', text: 'Test sent.' } : { tone: 'bad', text: error })
  })
  const toggle = useAction(async () => {
    await api.patch('/v1/channels/{id}', { path, body: { is_paused: isActive } })
    refetchAfterChange('/v1/channels')
  })
  const confirm = useAction(async () => {
    await api.post('/v1/channels/{id}/confirmation', { path })
    setNote({ tone: 'good', text: 'The mail is on its way.' })
  })
  const remove = useAction(async () => {
    await api.delete('/v1/channels/{id}', { path })
    refetchAfterChange('/v1/channels')
  })
  return (
    <li className="notification with-actions">
      <div>
        <p>
          <b>{CHANNEL_NAMES[kind].name}</b> {channel.name ?? 'Address unreadable'}
          <span className={`tag ${state.tone}`}>{state.name}</span>
        </p>
        {state.why !== undefined && <p className="small">{state.why}</p>}
        {channel.last_error !== null && <p className="small soft">{channel.last_error}</p>}
        <FormError error={test.error ?? toggle.error ?? confirm.error ?? remove.error} />
        <div role="status">
          {note !== undefined && <p className={`note ${note.tone}`}>{note.text}</p>}
        </div>
      </div>
      <div className="row tight">
        {status === 'unconfirmed' ? (
          <Button action={confirm} aria-label={`Send mail again to ${channel.name}`}>
            Send mail again
          </Button>
        ) : (
          <>
            <Button action={test} aria-label={`Send test to ${name}`}>
              {test.isRunning ? 'Sending…' : 'Send test'}
            </Button>
            <Button action={toggle} aria-label={`${isActive ? 'Pause' : 'Resume'} ${name}`}>
              {isActive ? 'Pause' : 'Resume'}
            </Button>
          </>
        )}
        <Button className="quiet danger" action={remove} aria-label={`Delete ${name}`}>
          Delete
        </Button>
      </div>
    </li>
  )
}
