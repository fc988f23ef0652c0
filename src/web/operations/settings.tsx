import { useState } from 'react'
import type { ServiceSettings } from '#client/endpoints.ts'
import * as texts from '#texts/operations/settings.ts'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { OperatorGate } from './operator-gate.tsx'
import { ModeForm, PictureForm, RatesForm } from './setup/choice-forms.tsx'
import { MirrorForm } from './setup/mirror-form.tsx'
import { RegisteredNote } from './setup/registered-note.tsx'
import { answerText, isChangeable, QUESTIONS, type SettingName } from './setup/steps.ts'
import { useSettings } from './setup/use-settings-form.ts'

/** Shows the settings of the service, for operators. */
export function SettingsView() {
  return (
    <OperatorGate title={texts.settings}>
      <Settings />
    </OperatorGate>
  )
}

function Settings() {
  const query = useSettings()
  const settings = query.data?.data
  return (
    <Page
      title={texts.settings}
      lead={texts.changesTakeEffectAtOnce}
      crumbs={[{ href: '/operator', name: texts.operator }]}
    >
      <QueryError query={query} />
      {query.isPending && <LineSkeleton count={8} />}
      {settings !== undefined && (
        <div className="setup stack">
          {SECTIONS.map((step) => (
            <Section key={step} step={step} settings={settings} />
          ))}
        </div>
      )}
    </Page>
  )
}

const SECTIONS: readonly SettingName[] = ['mode', 'mirror', 'pictures', 'rates']

const FORMS = { mode: ModeForm, mirror: MirrorForm, pictures: PictureForm, rates: RatesForm }

function Section({ step, settings }: { step: SettingName; settings: ServiceSettings }) {
  const [isSaved, setIsSaved] = useState(false)
  const Form = FORMS[step]
  return (
    <section className="panel stack tight" aria-labelledby={`settings-${step}`}>
      <h2 id={`settings-${step}`}>{QUESTIONS[step]}</h2>
      {isChangeable(step, settings) ? (
        <Form settings={settings} submit={texts.save} onSaved={() => setIsSaved(true)} />
      ) : (
        <>
          <p className="soft">{texts.setInTheEnvironment(answerText(step, settings))}</p>
          {step === 'mode' && <RegisteredNote settings={settings} mode={settings.mode.value} />}
        </>
      )}
      <p role="status" className="small">
        {isSaved && texts.saved}
      </p>
    </section>
  )
}
