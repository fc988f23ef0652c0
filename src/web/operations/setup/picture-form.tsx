import { useState } from 'react'
import { ChoiceForm } from './choice-form.tsx'
import { QUESTIONS } from './steps.ts'
import { type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** Asks if the pictures of the catalog are indexed. */
export function PictureForm({ settings, submit, onSaved }: SettingsFormProps) {
  const [answer, setAnswer] = useState<'now' | 'later'>(
    settings.index_pictures.value ? 'now' : 'later',
  )
  const saving = useSettingsForm(() => ({ index_pictures: answer === 'now' }), onSaved)
  return (
    <ChoiceForm
      legend={QUESTIONS.pictures}
      choices={CHOICES}
      value={answer}
      onChange={setAnswer}
      saving={saving}
      submit={submit}
    />
  )
}

const CHOICES = [
  {
    value: 'now',
    name: 'Yes, index the pictures',
    text: 'The server reads each card’s picture once, in the background. This takes ten seconds for the sample and some hours for 100,000 cards. A card is recognized as soon as its picture is indexed.',
  },
  {
    value: 'later',
    name: 'Later',
    text: 'Until then, photos are identified by the text on the card alone.',
  },
] as const
