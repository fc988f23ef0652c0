import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { CardImage, cardImageUrl } from '../../components/card-image.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Select } from '../../components/select.tsx'
import { count, moneyText } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { copiesText } from '../item-text.ts'
import type { ImportEntry } from './import-queries.ts'
import { noteText } from './import-text.ts'
import type { DraftChange } from './use-draft-changes.ts'

type DraftEntryProps = {
  row: ImportEntry
  change: (change: DraftChange) => Promise<void>
  /** Opens the search for another card. */
  onSearch: () => void
}

type RowChange = Omit<NonNullable<DraftChange['rows']>[number], 'id'>

/** A row of a draft: its text, the card that was found, other possible cards, and the decision. */
export function DraftEntry({ row, change, onSearch }: DraftEntryProps) {
  const save = useAction((changed: RowChange) => change({ rows: [{ id: row.id, ...changed }] }))
  const set = (changed: RowChange) => void save.start(changed)
  const { card, state, alternatives } = row
  const rowName = <span className="visually-hidden"> row {count(row.row)}</span>
  const notes = [...(row.reason === null ? [] : [row.reason]), ...row.notes]
  return (
    <li className={`import-row ${state}`} aria-busy={save.isRunning}>
      <p className="import-source small soft">
        <span>Row {count(row.row)}</span> <q>{skipEmptyCells(row.text)}</q>
      </p>
      <div className="import-card">
        <div>
          {card === null ? (
            <strong>No card</strong>
          ) : (
            <Link className="import-found" href={`/cards/${card.card_id}`}>
              <CardText card={card}>
                <span className="small">{copiesText({ ...row, printing: null, grade: null })}</span>
              </CardText>
            </Link>
          )}
          {notes.length > 0 && (
            <p className="small import-notes">{notes.map(noteText).join('. ')}.</p>
          )}
        </div>
        {card !== null && <Copies row={row} onPrinting={(printing) => set({ printing })} />}
        <div className="row import-decision">
          <Button
            className={state === 'accepted' ? 'main' : ''}
            aria-pressed={state === 'accepted'}
            disabled={card === null}
            isBusy={save.isRunning}
            onClick={() => state !== 'accepted' && set({ state: 'accepted' })}
          >
            {state === 'accepted' && CHECK}
            Accept{rowName}
          </Button>
          <Button
            aria-pressed={state === 'skipped'}
            isBusy={save.isRunning}
            onClick={() => state !== 'skipped' && set({ state: 'skipped' })}
          >
            {state === 'skipped' && CHECK}
            Skip{rowName}
          </Button>
          <Button className="quiet" isBusy={save.isRunning} onClick={onSearch}>
            {card === null ? 'Search' : 'Other card'}
            {rowName}
          </Button>
        </div>
      </div>
      <FormError error={save.error} />
      {alternatives.length > 0 && (
        <Alternatives
          alternatives={alternatives}
          isBusy={save.isRunning}
          onChoose={(card_id) => set({ card_id })}
        />
      )}
    </li>
  )
}

function skipEmptyCells(text: string): string {
  return text.replace(/,(?:\s*,)+/g, ',').replace(/[,\s]+$/, '')
}

const CHECK = <span aria-hidden="true">✓</span>

type CardTextProps = {
  card: Pick<
    ImportEntry['alternatives'][number],
    'card_id' | 'name' | 'number' | 'set_name' | 'image_url'
  >
  children: ReactNode
}

/** Picture, name, set and number of a card. */
function CardText({ card, children }: CardTextProps) {
  const { card_id, image_url, name, set_name, number } = card
  return (
    <>
      <span className="import-art">
        <CardImage src={cardImageUrl({ id: card_id, image_url })} name="" size="tiny" />
      </span>
      <span className="import-name">
        <strong>{name}</strong>
        <span className="small soft">{[set_name, number].filter(Boolean).join(' · ')}</span>
        {children}
      </span>
    </>
  )
}

type CopiesProps = { row: ImportEntry; onPrinting: (printing: string) => void }

/** Printing and value of the copies. */
function Copies({ row, onPrinting }: CopiesProps) {
  const { printing, printings, quantity, market_price, value } = row
  return (
    <div className="import-copies">
      {printings.length > 1 ? (
        <Select
          aria-label={`Printing of row ${count(row.row)}`}
          options={printings.map((one) => [
            one.printing,
            `${one.printing} ${moneyText(one.market_price)}`,
          ])}
          value={printing ?? ''}
          onChange={onPrinting}
        />
      ) : (
        <span className="small">{printing}</span>
      )}
      <span className="import-value">
        <strong>{moneyText(value)}</strong>
        {quantity > 1 && (
          <span className="small soft">
            {count(quantity)} × {moneyText(market_price)}
          </span>
        )}
      </span>
    </div>
  )
}

type AlternativesProps = {
  alternatives: ImportEntry['alternatives']
  isBusy: boolean
  onChoose: (card_id: number) => void
}

/** Other cards that the row may mean: one tap chooses. */
function Alternatives({ alternatives, isBusy, onChoose }: AlternativesProps) {
  return (
    <ul className="import-alternatives" aria-label="Other possible cards">
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
  )
}
