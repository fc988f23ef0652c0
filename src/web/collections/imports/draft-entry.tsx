import { type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import * as texts from '#texts/collections/imports.ts'
import type { ApiError } from '../../api.ts'
import { toApiError } from '../../api-error.ts'
import { Button } from '../../components/button.tsx'
import { CardImage, cardImageUrl } from '../../components/card-image.tsx'
import { FormError } from '../../components/form-error.tsx'
import { count, moneyText } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { hidden } from '../../texts/rich-text.ts'
import type { ImportEntry } from './import-queries.ts'
import { noteText } from './import-text.ts'
import { Copies, type CopiesChange } from './row-copies.tsx'
import type { DraftChange } from './use-draft-changes.ts'

type DraftEntryProps = {
  row: ImportEntry
  change: (change: DraftChange) => Promise<void>
  /** Opens the search for another card. */
  onSearch: () => void
}

/** A row of a draft: its text, the card that was found, other possible cards, and the decision. */
export function DraftEntry({ row, change, onSearch }: DraftEntryProps) {
  const save = useAction((changed: CopiesChange) => change({ rows: [{ id: row.id, ...changed }] }))
  const copies = useCopyChanges(row.id, change)
  const set = (changed: CopiesChange) => void save.start(changed)
  const { kind, card, state, alternatives } = row
  const number = count(row.row)
  const notes = notesOf(row)
  return (
    <li
      className={`import-row ${isLeftOut(row) ? 'skipped' : state}`}
      aria-busy={save.isRunning || copies.isSaving}
    >
      <p className="import-source small soft">
        <span>{texts.rowNumber(number)}</span> <q>{skipEmptyCells(row.text)}</q>
      </p>
      <div className="import-card">
        <div>
          {card === null ? (
            <strong>{texts.noCard}</strong>
          ) : (
            <Link className="import-found" href={`/cards/${card.card_id}`}>
              <CardText card={card} />
            </Link>
          )}
          {notes.length > 0 && (
            <p className="small import-notes">{notes.map(noteText).join('. ')}.</p>
          )}
        </div>
        {card !== null && <Copies row={row} onChange={copies.save} />}
        <div className="row import-decision">
          {card !== null && (
            <Button
              className={state === 'accepted' ? 'main' : ''}
              aria-pressed={state === 'accepted'}
              isBusy={save.isRunning}
              onClick={() => state !== 'accepted' && set({ state: 'accepted' })}
            >
              {state === 'accepted' && CHECK}
              {texts.acceptRow({ row: number, hidden })}
            </Button>
          )}
          {!isLeftOut(row) && (
            <Button
              aria-pressed={state === 'skipped'}
              isBusy={save.isRunning}
              onClick={() => state !== 'skipped' && set({ state: 'skipped' })}
            >
              {state === 'skipped' && CHECK}
              {texts.skipRow({ row: number, hidden })}
            </Button>
          )}
          <Button
            className={card === null ? '' : 'quiet'}
            isBusy={save.isRunning}
            onClick={onSearch}
          >
            {card === null
              ? texts.searchForRow({ row: number, hidden })
              : texts.otherCardOfRow({ row: number, hidden })}
          </Button>
        </div>
      </div>
      <FormError error={save.error ?? copies.error} />
      {alternatives.length > 0 && kind !== 'certain' && (
        <Alternatives
          title={card === null ? texts.didYouMean : texts.otherPossibleCards}
          alternatives={alternatives}
          isBusy={save.isRunning}
          onChoose={(card_id) => set({ card_id })}
        />
      )}
    </li>
  )
}

/** Saves changes of copies, also while others are saved: a field that is left must not lose its change. */
function useCopyChanges(id: string, change: DraftEntryProps['change']) {
  const [running, setRunning] = useState(0)
  const [error, setError] = useState<ApiError>()
  const save = async (changed: CopiesChange) => {
    setRunning((before) => before + 1)
    setError(undefined)
    try {
      await change({ rows: [{ id, ...changed }] })
    } catch (cause) {
      setError(toApiError(cause))
    } finally {
      setRunning((before) => before - 1)
    }
  }
  return { save, error, isSaving: running > 0 }
}

function skipEmptyCells(text: string): string {
  return text.replace(/,(?:\s*,)+/g, ',').replace(/[,\s]+$/, '')
}

/** Lists what does not fit. The heading of assumed rows says what all of them have in common. */
function notesOf({ kind, reason, notes }: ImportEntry): string[] {
  const own = notes.filter((note) => kind !== 'assumed' || note !== 'printing_assumed')
  return reason === null ? own : [reason, ...own]
}

/** Returns true for a row that the file itself leaves out: it does not wait for a decision. */
function isLeftOut({ kind, card }: ImportEntry): boolean {
  return kind === 'skipped' && card === null
}

const CHECK = <span aria-hidden="true">✓</span>

type CardTextProps = {
  card: Pick<
    ImportEntry['alternatives'][number],
    'card_id' | 'name' | 'number' | 'set_name' | 'image_url'
  >
  children?: ReactNode
}

/** Picture, name, set and number of a card. */
function CardText({ card, children }: CardTextProps) {
  const { card_id, image_url, name, set_name, number } = card
  return (
    <>
      <span className="import-art">
        <CardImage src={cardImageUrl({ id: card_id, image_url })} face={card} size="tiny" />
      </span>
      <span className="import-name">
        <strong>{name}</strong>
        <span className="small soft">{[set_name, number].filter(Boolean).join(' · ')}</span>
        {children}
      </span>
    </>
  )
}

type AlternativesProps = {
  title: string
  alternatives: ImportEntry['alternatives']
  isBusy: boolean
  onChoose: (card_id: number) => void
}

/** Other cards that the row may mean: one tap chooses. */
export function Alternatives({ title, alternatives, isBusy, onChoose }: AlternativesProps) {
  const id = useId()
  return (
    <div>
      <p className="small soft" id={id}>
        {title}
      </p>
      <ul className="import-alternatives" aria-labelledby={id}>
        {alternatives.map((card) => (
          <li key={card.card_id}>
            <Button
              className="import-alternative"
              isBusy={isBusy}
              onClick={() => onChoose(card.card_id)}
            >
              <CardText card={card}>
                <span className="small soft">{moneyText(card.market_price)}</span>
              </CardText>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
