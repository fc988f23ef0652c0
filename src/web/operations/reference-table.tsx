import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Reference } from '#client/endpoints.ts'
import * as texts from '#texts/operations/references.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { type Column, Table } from '../components/table.tsx'
import { agoText, dateTimeText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { refetchAfterChange } from '../query-client.ts'

type ReferenceTableProps = {
  references: readonly Reference[]
  /** URL of the references of an account. */
  urlOfAccount: (account_id: number) => string
}

/** Lists references, each with a button that removes it. */
export function ReferenceTable({ references, urlOfAccount }: ReferenceTableProps) {
  const [chosen, setChosen] = useState<Reference>()
  const columns: Column<Reference>[] = [
    [
      texts.card,
      (reference) => (
        <CardOf reference={reference}>
          <span className="small soft narrow-only">
            <GiverLink reference={reference} urlOf={urlOfAccount} />,{' '}
            {agoText(reference.created_at)}
          </span>
          <span className="narrow-only">
            <StateTag reference={reference} />
          </span>
        </CardOf>
      ),
    ],
    [
      texts.namedBy,
      (reference) => <GiverLink reference={reference} urlOf={urlOfAccount} />,
      'wide-only',
    ],
    [
      texts.named,
      ({ created_at }) => (
        <time dateTime={created_at} title={dateTimeText(created_at)}>
          {agoText(created_at)}
        </time>
      ),
      'wide-only',
    ],
    [texts.state, (reference) => <StateTag reference={reference} />, 'wide-only'],
    [
      texts.remove,
      (reference) => (
        <Button
          className="small quiet"
          aria-label={texts.removeTheReferenceOf(nameOf(reference))}
          onClick={() => setChosen(reference)}
        >
          {texts.remove}
        </Button>
      ),
      'number',
      true,
    ],
  ]
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
      <section className="table-frame references" aria-label={texts.references} tabIndex={0}>
        <Table columns={columns} rows={references} keyOf={({ id }) => id} />
      </section>
      {chosen !== undefined && (
        <RemoveDialog reference={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  )
}

function CardOf({ reference, children }: { reference: Reference; children: ReactNode }) {
  const { card_id, image_url, name, number, set_name } = reference
  return (
    <div className="item-name">
      <CardImage
        src={cardImageUrl({ id: card_id, image_url })}
        face={{ ...reference, name: nameOf(reference) }}
        size="tiny"
      />
      <span className="item-text">
        {name === null ? (
          <span>{nameOf(reference)}</span>
        ) : (
          <Link href={`/cards/${card_id}`}>{name}</Link>
        )}
        <span className="small soft">
          {name === null
            ? texts.noLongerInTheCatalog
            : [set_name, number].filter(Boolean).join(' · ')}
        </span>
        {children}
      </span>
    </div>
  )
}

function nameOf({ name, card_id }: Reference): string {
  return name ?? texts.cardOfId(card_id)
}

type GiverProps = { reference: Reference; urlOf: ReferenceTableProps['urlOfAccount'] }

function GiverLink({ reference: { account_id, email }, urlOf }: GiverProps) {
  return <Link href={urlOf(account_id)}>{email}</Link>
}

function StateTag({ reference: { is_accepted } }: { reference: Reference }) {
  return is_accepted ? (
    <span className="tag good">{texts.accepted}</span>
  ) : (
    <span className="tag">{texts.notUsed}</span>
  )
}

function RemoveDialog({ reference, onClose }: { reference: Reference; onClose: () => void }) {
  const remove = useAction(async () => {
    await api.delete('/v1/references/{id}', { path: { id: reference.id } })
    onClose()
    refetchAfterChange('/v1/references')
  })
  return (
    <ConfirmDialog
      title={texts.removeThisReferenceOf(nameOf(reference))}
      confirmLabel={texts.remove}
      action={remove}
      onClose={onClose}
    >
      <p>{texts.removeExplained}</p>
    </ConfirmDialog>
  )
}
