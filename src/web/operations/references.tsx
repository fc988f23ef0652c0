import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { Reference } from '#client/endpoints.ts'
import * as texts from '#texts/operations/references.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Note } from '../components/note.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery, refetchAfterChange } from '../query-client.ts'
import { parseId, parsePage } from '../route-params.ts'
import { saveFile } from '../save-file.ts'
import { CardSearch } from '../search/card-search.tsx'
import { OperatorGate } from './operator-gate.tsx'
import { ReferenceTable } from './reference-table.tsx'

const PATH = '/operator/references'

/** Shows the photos that people have named, for operators. */
export function ReferencesView() {
  return (
    <OperatorGate title={texts.references}>
      <References />
    </OperatorGate>
  )
}

/** Restricts the list to a card, and to an account. */
type Filter = { card_id?: number; account_id?: number }

function References() {
  const search = new URLSearchParams(useSearch())
  const [, go] = useLocation()
  const page = parsePage(search)
  const filter = parseFilter(search)
  const result = useQuery(apiQuery('/v1/references', { query: { ...filter, page } }))
  const answer = result.data
  const save = useAction(() => exportReferences(filter))
  const isEmpty = answer?.meta.total === 0
  return (
    <Page
      title={texts.references}
      lead={texts.referencesLead}
      crumbs={[{ href: '/operator', name: texts.operator }]}
      aside={
        <Button action={save} disabled={answer === undefined || isEmpty}>
          {texts.exportLabel}
        </Button>
      }
    >
      <div className="stack">
        <FormError error={save.error} />
        <Filters filter={filter} first={answer?.data[0]} />
        <QueryError query={result} />
        {result.isPending && <LineSkeleton count={8} />}
        {isEmpty && <Empty isFiltered={Object.keys(filter).length > 0} />}
        {answer !== undefined && !isEmpty && (
          <>
            <p className="soft">{texts.referenceCount(answer.meta.total)}</p>
            <ReferenceTable
              references={answer.data}
              urlOfAccount={(account_id) => urlOf({ ...filter, account_id })}
            />
            <Pager meta={answer.meta} onPage={(next) => go(urlOf(filter, next))} />
          </>
        )}
      </div>
    </Page>
  )
}

function parseFilter(search: URLSearchParams): Filter {
  const card_id = parseId(search.get('card') ?? '')
  const account_id = parseId(search.get('account') ?? '')
  return {
    ...(card_id !== undefined && { card_id }),
    ...(account_id !== undefined && { account_id }),
  }
}

function urlOf({ card_id, account_id }: Filter, page = 1): string {
  const search = new URLSearchParams()
  if (card_id !== undefined) search.set('card', `${card_id}`)
  if (account_id !== undefined) search.set('account', `${account_id}`)
  if (page > 1) search.set('page', `${page}`)
  return search.size === 0 ? PATH : `${PATH}?${search}`
}

/** Saves the references as lines of JSON. */
async function exportReferences(filter: Filter): Promise<void> {
  const references = await fetchReferences(filter)
  const lines = references.map((reference) => `${JSON.stringify(reference)}\n`)
  saveFile('references.jsonl', new Blob(lines, { type: 'application/jsonl' }))
}

/** Fetches all references, one page after another: a hundred thousand would be a thousand requests at once. */
async function fetchReferences(filter: Filter): Promise<Reference[]> {
  const found = new Map<string, Reference>()
  let total = 0
  for (let page = 1; ; page++) {
    const query = { ...filter, page, per_page: EXPORTED_A_PAGE }
    const { data, meta } = await api.get('/v1/references', { query })
    // A reference that was added since the last page has moved the others, so some come again.
    for (const reference of data) found.set(reference.id, reference)
    const removed = total - meta.total
    total = meta.total
    // A removed one has moved others to pages that were read.
    if (removed > 0) page = Math.max(0, page - 1 - Math.ceil(removed / EXPORTED_A_PAGE))
    else if (!meta.has_more) return [...found.values()]
  }
}

/** As many as the API allows. */
const EXPORTED_A_PAGE = 100

type FiltersProps = {
  filter: Filter
  /** First reference of the list, which names the chosen card and account. */
  first: Reference | undefined
}

/** Chooses a card, and shows what the list is restricted to. */
function Filters({ filter: { card_id, account_id }, first }: FiltersProps) {
  const [, go] = useLocation()
  const card = first?.card_id === card_id ? first?.name : undefined
  const email = first?.account_id === account_id ? first?.email : undefined
  return (
    <>
      {card_id === undefined ? (
        <CardSearch
          onChoose={(id) => go(urlOf({ card_id: id, ...(account_id && { account_id }) }))}
        />
      ) : (
        <p className="row">
          <span>{texts.ofTheCard(<b>{card ?? card_id}</b>)}</span>
          <Link
            className="button small"
            href={urlOf(account_id === undefined ? {} : { account_id })}
          >
            {texts.allCards}
          </Link>
        </p>
      )}
      {account_id !== undefined && (
        <p className="row">
          <span>{texts.ofTheAccount(<b>{email ?? account_id}</b>)}</span>
          <Link className="button small" href={urlOf(card_id === undefined ? {} : { card_id })}>
            {texts.allAccounts}
          </Link>
          {email !== undefined && <RemoveAll account_id={account_id} email={email} />}
        </p>
      )}
    </>
  )
}

/** Removes what an account has named, of all cards. */
function RemoveAll({ account_id, email }: { account_id: number; email: string }) {
  const [isOpen, setOpen] = useState(false)
  const remove = useAction(async () => {
    await api.delete('/v1/references', { query: { account_id } })
    setOpen(false)
    refetchAfterChange('/v1/references')
  })
  return (
    <>
      <Button className="small danger" onClick={() => setOpen(true)}>
        {texts.removeAllOfThisAccount}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={texts.removeAllReferencesOf(email)}
          confirmLabel={texts.removeAll}
          action={remove}
          onClose={() => setOpen(false)}
        >
          <p>{texts.removeAllExplained}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Note title={texts.noSuchReferences} text={texts.nobodyHasNamedAPhoto}>
      <Link className="button" href={PATH}>
        {texts.showAll}
      </Link>
    </Note>
  ) : (
    <Note title={texts.noReferencesYet} text={texts.noReferencesText} />
  )
}
