import { useState } from 'react'
import type { ApiResponse } from '#client/client.ts'
import type { AlertChannel } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/channels.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { refetchAfterChange } from '../query-client.ts'

/** Kinds of channels, with the label and an example of their address. */
export const CHANNEL_NAMES: Readonly<
  Record<AlertChannel['kind'], { name: string; label: string; example: string }>
> = {
  email: { name: texts.email, label: texts.emailAddress, example: 'you@example.com' },
  ntfy: { name: 'ntfy', label: texts.urlOfTheTopic, example: 'https://ntfy.sh/my-secret-topic' },
  discord: {
    name: 'Discord',
    label: texts.webhookUrl,
    example: 'https://discord.com/api/webhooks/…',
  },
  slack: {
    name: 'Slack',
    label: texts.webhookUrl,
    example: 'https://hooks.slack.com/services/…',
  },
  push: { name: texts.browser, label: '', example: '' },
}

/** Kinds that are added by their address. */
const TYPED_KINDS = ['email', 'ntfy', 'discord', 'slack'] as const

type TypedKind = (typeof TYPED_KINDS)[number]

/** Adds a channel: this browser, or an address. */
export function NewChannel({ meta }: Pick<ApiResponse<'GET', '/v1/channels'>, 'meta'>) {
  const [kind, setKind] = useState<TypedKind>()
  const [isRefused, setRefused] = useState(false)
  const push = useAction(async () => {
    const subscription = await subscribeToPush(meta.push_key)
    setRefused(subscription === undefined)
    if (subscription === undefined) return
    await api.post('/v1/channels', { body: { kind: 'push', ...subscription } })
    refetchAfterChange('/v1/channels')
  })
  const kinds = TYPED_KINDS.filter((one) => one !== 'email' || meta.sends_mail)
  return (
    <div className="stack tight">
      {/* biome-ignore lint/a11y/useSemanticElements: the buttons are not fields */}
      <div className="row tight" role="group" aria-label={texts.addAChannel}>
        {kinds.map((one) => (
          <Button
            key={one}
            aria-expanded={kind === one}
            onClick={() => setKind(kind === one ? undefined : one)}
          >
            {texts.addNamed(CHANNEL_NAMES[one].name)}
          </Button>
        ))}
        {supportsPush() && <Button action={push}>{texts.addThisBrowser}</Button>}
      </div>
      {isRefused && (
        <p className="note wait" role="alert">
          {texts.browserDoesNotAllow}
        </p>
      )}
      <FormError error={push.error} />
      {kind !== undefined && (
        <ChannelForm key={kind} kind={kind} onAdded={() => setKind(undefined)} />
      )}
    </div>
  )
}

function ChannelForm({ kind, onAdded }: { kind: TypedKind; onAdded: () => void }) {
  const [address, setAddress] = useState('')
  const [token, setToken] = useState('')
  const required = useRequiredFields()
  const { label, example, name } = CHANNEL_NAMES[kind]
  const action = useAction(async () => {
    const secret = token === '' ? {} : { token }
    await api.post('/v1/channels', { body: { kind, address: address.trim(), ...secret } })
    refetchAfterChange('/v1/channels')
    onAdded()
  })
  return (
    <form
      noValidate
      className="panel alert-form"
      aria-label={texts.addNamed(name)}
      onSubmit={required.submitTo(action)}
    >
      <Field
        label={label}
        name="address"
        type={kind === 'email' ? 'email' : 'url'}
        required
        autoComplete={kind === 'email' ? 'email' : 'off'}
        placeholder={example}
        value={address}
        onChange={({ target }) => {
          action.clearError()
          setAddress(target.value)
        }}
        error={required.errorOf('address', label, address)}
      />
      {kind === 'ntfy' && (
        <Field
          label={texts.accessToken}
          name="token"
          autoComplete="off"
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
      )}
      <FormError error={action.error} />
      <div className="row">
        <Button type="submit" className="main" isBusy={action.isRunning}>
          {texts.addChannel}
        </Button>
      </div>
    </form>
  )
}

/** Push subscription of this browser, as the API takes it. */
export type BrowserSubscription = { address: string; keys: { p256dh: string; auth: string } }

/** Returns false without push messages, as over plain HTTP. */
function supportsPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/**
 * Asks for the permission to show notifications, and subscribes this browser.
 *
 * @param key public key of the server
 * @returns undefined if the permission was refused
 */
async function subscribeToPush(key: string): Promise<BrowserSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { pushManager } = await navigator.serviceWorker.ready
  const before = await pushManager.getSubscription()
  // A subscription with the key of another server, or of an earlier secret, cannot be used.
  await before?.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: key }
  const { endpoint = '', keys } = (await pushManager.subscribe(options)).toJSON()
  return { address: endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}
