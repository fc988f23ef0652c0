import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import type { ServiceSettings } from '#client/endpoints.ts'
import * as texts from '#texts/operations/setup.ts'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ErrorMessage, QueryError } from '../../components/error-message.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Page } from '../../components/page.tsx'
import { LineSkeleton } from '../../components/skeleton.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { readServiceState } from '../../service-state.ts'
import { useSession } from '../../session.ts'
import { OlderPricesPanel } from '../older-prices-panel.tsx'
import { ModeForm, PictureForm } from './choice-forms.tsx'
import { CreateOperator } from './create-operator.tsx'
import { FirstSync } from './first-sync.tsx'
import { MirrorForm } from './mirror-form.tsx'
import { RegisteredNote } from './registered-note.tsx'
import { answerText, findStep, QUESTIONS, type SetupStep, stepsOf } from './steps.ts'
import { useSettings } from './use-settings-form.ts'

/** Guides the operator of a new server through its setup. Refers everybody else to the operator. */
export function SetupView() {
  const { me, error, refresh } = useSession()
  const [stage] = useState(() => readServiceState().setup)
  if (me?.is_operator === true) return <Questions />
  return (
    <SetupPage title={texts.setUpThisServer} lead={texts.cardstockIsRunningAFew}>
      {me === undefined && error === undefined && <LineSkeleton count={4} />}
      {error !== undefined && <ErrorMessage error={error} onRetry={() => void refresh()} />}
      {me !== undefined && stage === 'account' && <CreateOperator onCreated={refresh} />}
      {me !== undefined && stage !== 'account' && (
        <OperatorOnly isFinished={stage === 'finished'} />
      )}
    </SetupPage>
  )
}

function SetupPage(props: Parameters<typeof Page>[0]) {
  return (
    <div className="setup stack">
      <Page {...props} />
    </div>
  )
}

function OperatorOnly({ isFinished }: { isFinished: boolean }) {
  return (
    <section className="panel stack">
      <p>{isFinished ? texts.setUpText : texts.notSetUpText}</p>
      <p className="row">
        <Link className="button main" href="/login?to=/setup">
          {texts.logIn}
        </Link>
        <a className="button" href="/docs">
          {texts.apiReference}
        </a>
      </p>
    </section>
  )
}

const FORMS = { mode: ModeForm, mirror: MirrorForm, pictures: PictureForm }

function Questions() {
  const query = useSettings()
  const [chosen, setChosen] = useState<SetupStep>()
  const settings = query.data?.data
  if (settings === undefined) {
    return (
      <SetupPage title={texts.setUpThisServer}>
        <QueryError query={query} />
        {query.isPending && <LineSkeleton count={6} />}
      </SetupPage>
    )
  }
  if (settings.is_finished) return <Redirect to="/operator/settings" replace />
  const steps = stepsOf(settings)
  const step = chosen ?? findStep(settings)
  const answered = steps.slice(0, step === undefined ? undefined : steps.indexOf(step))
  const Form = step && FORMS[step]
  return (
    <SetupPage
      key={step}
      title={step === undefined ? texts.ready : QUESTIONS[step]}
      lead={
        step === undefined
          ? texts.youCanChangeTheAnswersLater
          : texts.questionOf({ number: answered.length + 1, steps: steps.length })
      }
    >
      {Form !== undefined && (
        <Form
          settings={settings}
          submit={texts.continueLabel}
          onSaved={() => {
            setChosen(undefined)
            // Each question looks like a new page, although the URL stays.
            scrollTo({ top: 0 })
          }}
        />
      )}
      {answered.length > 0 && <Answers steps={answered} settings={settings} onChange={setChosen} />}
      {step !== 'mode' && <RegisteredNote settings={settings} mode={settings.mode.value} />}
      <FirstSync mirror={settings.mirror.value} />
      {step === undefined && settings.mirror.value !== null && !settings.is_replica && (
        <OlderPricesPanel />
      )}
      {step === undefined && <Finish />}
    </SetupPage>
  )
}

type AnswersProps = {
  steps: readonly SetupStep[]
  settings: ServiceSettings
  onChange: (step: SetupStep) => void
}

function Answers({ steps, settings, onChange }: AnswersProps) {
  return (
    <dl className="panel answers">
      {steps.map((step) => (
        <div key={step}>
          <dt className="small soft">{QUESTIONS[step]}</dt>
          <dd>
            {answerText(step, settings)}
            <Button
              className="quiet"
              aria-label={texts.changeAnswer(QUESTIONS[step])}
              onClick={() => onChange(step)}
            >
              {texts.change}
            </Button>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Ends the setup, and reloads the dashboard, which now shows all its pages. */
function Finish() {
  const finish = useAction(async () => {
    await api.post('/v1/operator/settings', { body: { finish: true } })
    location.assign('/')
  })
  return (
    <div className="stack tight">
      <FormError error={finish.error} />
      <p>
        <Button className="main" action={finish}>
          {texts.openTheDashboard}
        </Button>
      </p>
    </div>
  )
}
