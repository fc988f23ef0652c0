import { useQuery } from '@tanstack/react-query'
import type { ChangeSettingsRequest, ServiceSettings } from '#client/endpoints.ts'
import { api } from '../../api.ts'
import { useAction } from '../../hooks/use-action.ts'
import { apiQuery, queryClient } from '../../query-client.ts'

export type SettingsFormProps = {
  settings: ServiceSettings
  /** Text of the button. */
  submit: string
  onSaved: () => void
}

const SETTINGS = apiQuery('/v1/operator/settings')

/** Fetches the settings for each page: a form must not begin with old ones. */
export function useSettings() {
  return useQuery({ ...SETTINGS, gcTime: 0 })
}

/**
 * Returns an action that stores settings.
 *
 * @param read returns the settings to be stored
 */
export function useSettingsForm(read: () => ChangeSettingsRequest, onSaved: () => void) {
  return useAction(async () => {
    const answer = await api.post('/v1/operator/settings', { body: read() })
    queryClient.setQueryData(SETTINGS.queryKey, answer)
    onSaved()
  })
}
