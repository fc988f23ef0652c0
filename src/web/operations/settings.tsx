import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ServiceSettings } from '#client/endpoints.ts'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { apiQuery } from '../query-client.ts'
import { OperatorGate } from './operator-gate.tsx'
import { ModeForm, PictureForm, RatesForm } from './setup/choice-forms.tsx'
import { MirrorForm } from './setup/mirror-form.tsx'
import { answerText, isChangeable, QUESTIONS, type SettingName } from './setup/steps.ts'

/** Shows the settings of the service, for operators. */
export function SettingsView() {
  return (
    <OperatorGate title="Settings">
      <Settings />
    </OperatorGate>
  )
}

function Settings() {
  const query = useQuery(apiQuery('/v1/operator/settings'))
  const [saved, setSaved] = useState<ServiceSettings>()
  const settings = saved ?? query.data?.data
  return (
    <Page
      title="Settings"
      lead="Changes take effect at once."
      crumbs={[{ href: '/operator', name: 'Operator' }]}
    >
      <QueryError query={query} />
      {settings === undefined && query.isPending && <LineSkeleton count={8} />}
      {settings !== undefined && (
        <div className="setup stack">
          {SECTIONS.map((step) => (
            <Section key={step} step={step} settings={settings} onSaved={setSaved} />
          ))}
        </div>
      )}
    </Page>
  )
}

const SECTIONS: readonly SettingName[] = ['mode', 'mirror', 'pictures', 'rates']

const FORMS = { mode: ModeForm, mirror: MirrorForm, pictures: PictureForm, rates: RatesForm }

type SectionProps = {
  step: SettingName
  settings: ServiceSettings
  onSaved: (settings: ServiceSettings) => void
}

function Section({ step, settings, onSaved }: SectionProps) {
  const [isSaved, setIsSaved] = useState(false)
  const Form = FORMS[step]
  return (
    <section className="panel stack tight" aria-labelledby={`settings-${step}`}>
      <h2 id={`settings-${step}`}>{QUESTIONS[step]}</h2>
      {isChangeable(step, settings) ? (
        <Form
          settings={settings}
          submit="Save"
          onSaved={(next) => {
            setIsSaved(true)
            onSaved(next)
          }}
        />
      ) : (
        <p className="soft">
          {answerText(step, settings)}: set in the server’s environment, where it can be changed.
        </p>
      )}
      <p role="status" className="small">
        {isSaved && 'Saved.'}
      </p>
    </section>
  )
}
