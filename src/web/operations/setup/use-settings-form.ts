import type { ChangeSettingsRequest, ServiceSettings } from '#client/endpoints.ts'
import { api } from '../../api.ts'
import { useAction } from '../../hooks/use-action.ts'

export type SettingsFormProps = {
  settings: ServiceSettings
  /** Text of the button. */
  submit: string
  onSaved: (settings: ServiceSettings) => void
}

/** Returns an action that stores settings. @param read returns those to store */
export function useSettingsForm(
  read: () => ChangeSettingsRequest,
  onSaved: (settings: ServiceSettings) => void,
) {
  return useAction(async () => {
    const { data } = await api.post('/v1/operator/settings', { body: read() })
    onSaved(data)
  })
}
