import { useState } from 'react'
import { ChoiceForm } from './choice-form.tsx'
import { MODE_NAMES, QUESTIONS } from './steps.ts'
import { type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** Asks for the use of the server. */
export function ModeForm({ settings, submit, onSaved }: SettingsFormProps) {
  const { value, source } = settings.mode
  const [mode, setMode] = useState(source === 'default' ? 'private' : value)
  const saving = useSettingsForm(() => ({ mode }), onSaved)
  return (
    <ChoiceForm
      legend={QUESTIONS.mode}
      choices={CHOICES}
      value={mode}
      onChange={setMode}
      saving={saving}
      submit={submit}
    />
  )
}

const CHOICES = [
  {
    value: 'private',
    name: MODE_NAMES.private,
    text: 'All features, no limits, no plans. You create every account; visitors see nothing.',
  },
  {
    value: 'community',
    name: MODE_NAMES.community,
    text: 'Everybody can create a free account with daily limits. Nothing is for sale.',
  },
  {
    value: 'business',
    name: MODE_NAMES.business,
    text: 'Free accounts, and plans and packs of scans that you sell, by Stripe or by hand.',
  },
] as const
