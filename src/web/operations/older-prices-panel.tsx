import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { HistoryImport } from '#client/endpoints.ts'
import * as texts from '#texts/operations/older-prices.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Meter } from '../components/meter.tsx'
import { Select } from '../components/select.tsx'
import { useAction } from '../hooks/use-action.ts'
import { bytesText } from '../measure-text.ts'
import { apiQuery, pollQuery, refetchAfterChange } from '../query-client.ts'
import { ImportState } from './older-prices-state.tsx'
import { type UploadStep, uploadArchive } from './upload-archive.ts'

const PATH = '/v1/operator/history-import'

/** Imports the prices of earlier days, and shows the progress. */
export function OlderPricesPanel() {
  const result = useQuery(
    pollQuery(apiQuery(PATH), (answer) => (answer?.data.state === 'running' ? BUSY_MS : CALM_MS)),
  )
  const section = useRef<HTMLElement>(null)
  const isLoaded = result.data !== undefined
  useEffect(() => {
    // The browser looks for the place before the panel is there.
    if (isLoaded && location.hash === `#${ID}`) section.current?.scrollIntoView()
  }, [isLoaded])
  return (
    <section
      ref={section}
      id={ID}
      className="panel stack tight older-prices"
      aria-labelledby="older"
    >
      <h2 id="older">{texts.olderPrices}</h2>
      <p className="small soft">
        {texts.olderPricesLead({
          code: (text) => <code>{text}</code>,
          link: (text) => (
            <a href="/guides/older-prices" target="_blank" rel="noopener">
              {text}
            </a>
          ),
        })}
      </p>
      <QueryError query={result} />
      {result.data !== undefined && <Import state={result.data.data} />}
    </section>
  )
}

const ID = 'older-prices'
const BUSY_MS = 1_000
const CALM_MS = 10_000

function Import({ state }: { state: HistoryImport }) {
  const { archives } = state
  const [chosen, setChosen] = useState('')
  const [step, setStep] = useState<UploadStep>()
  const start = useAction(async (archive: string) => {
    await api.post(PATH, { body: { archive } })
    refetchAfterChange(PATH)
  })
  const upload = useAction(async (file: File) => {
    try {
      await api.post(PATH, { body: { archive: await uploadArchive(file, setStep) } })
    } finally {
      setStep(undefined)
      refetchAfterChange(PATH)
    }
  })
  const cancel = useAction(async () => {
    await api.delete(PATH)
    refetchAfterChange(PATH)
  })
  const name = archives.some((one) => one.name === chosen) ? chosen : (archives[0]?.name ?? '')
  const isResumable = state.state !== 'complete' && archives.some((one) => one.name === state.name)
  const isBusy = start.isRunning || upload.isRunning
  return (
    <>
      <div role="status" className="stack tight">
        {step === undefined ? <ImportState state={state} /> : <Uploading step={step} />}
      </div>
      {state.state === 'running' ? (
        <p>
          <Button action={cancel}>{texts.cancelImport}</Button>
        </p>
      ) : (
        <div className="row">
          {isResumable && (
            <Button
              className="main"
              isBusy={isBusy}
              onClick={() => void start.start(state.name ?? '')}
            >
              {state.days_stored > 0 ? texts.resume : texts.tryAgain}
            </Button>
          )}
          {archives.length > 0 && (
            <>
              <Select
                className="select"
                aria-label={texts.archiveOrFolder}
                options={archives.map((one) => [one.name, optionText(one)])}
                value={name}
                onChange={setChosen}
              />
              <Button isBusy={isBusy} onClick={() => void start.start(name)}>
                {texts.importLabel}
              </Button>
            </>
          )}
          <FileButton isBusy={isBusy} onFile={(file) => void upload.start(file)} />
        </div>
      )}
      <FormError error={start.error ?? upload.error ?? cancel.error} />
    </>
  )
}

function optionText({ name, bytes }: HistoryImport['archives'][number]): string {
  return bytes === null ? texts.folder(name) : `${name} (${bytesText(bytes)})`
}

function Uploading({ step: { sent, size } }: { step: UploadStep }) {
  const text = texts.sentOf({ sent: bytesText(sent), size: bytesText(size) })
  return (
    <>
      <Meter label={texts.uploaded} value={sent} max={size} text={text} />
      <p>{texts.uploadedKeepThisPageOpen(text)}</p>
    </>
  )
}

function FileButton({ isBusy, onFile }: { isBusy: boolean; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={texts.archive}
        accept=".zip,.gz,.tgz,.zst"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // Otherwise the same file cannot be chosen again.
          target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      <Button isBusy={isBusy} onClick={() => !isBusy && input.current?.click()}>
        {texts.uploadArchive}
      </Button>
    </>
  )
}
