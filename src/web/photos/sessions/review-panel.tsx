import { type ComponentProps, type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import type { ScanSessionItem } from '#client/endpoints.ts'
import * as texts from '#texts/photos/review.ts'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { likelyCandidate, SEVERAL_CARDS, showsMoreCards } from '../match-reasons.ts'
import { CardChoices, listChoices } from './card-choices.tsx'
import type { InboxSession, ScanInbox } from './scan-inbox.ts'
import { replaceByPage, type ScanQueue } from './scan-queue.ts'

type ReviewPanelProps = {
  /** Focused when the review begins, because keys work while the focus is in the panel. */
  ref: RefObject<HTMLElement | null>
  of: InboxSession
  inbox: ScanInbox | undefined
  queue: ScanQueue | undefined
  /** Photos that were answered here: each may have left a crop in the inbox. */
  answered: number
  items: readonly ScanSessionItem[]
  total: number
  onDecided: (text: string) => void
}

/** Shows one doubtful card after another for a decision: its crop beside the candidates. */
export function ReviewPanel(props: ReviewPanelProps) {
  const { ref, of, inbox, answered, items, total } = props
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const [skipped, setSkipped] = useState<readonly string[]>([])
  // Nobody confirms a card without having seen the photo.
  const [seen, setSeen] = useState<string>()
  const left = items.filter(({ id }) => !decided.has(id))
  const item = left.toSorted((one, other) => skipped.indexOf(one.id) - skipped.indexOf(other.id))[0]
  const decisions = useDecisions(props, ({ id }) => setDecided((before) => new Set(before).add(id)))
  const { choose, remove, readAll, isBusy } = decisions
  const isSeen = item !== undefined && seen === item.id
  const likely = isSeen ? likelyCandidate(item)?.card_id : undefined
  const canReadAll = isSeen && item.outline === null && showsMoreCards(item)
  const skip = ({ id }: ScanSessionItem) =>
    setSkipped((before) => [...before.filter((one) => one !== id), id])

  /** Returns what a key does to a card; undefined for other keys. */
  function actionOf(shown: ScanSessionItem, event: KeyboardEvent): (() => void) | undefined {
    const { key, target, currentTarget } = event
    const chosen = listChoices(shown)[Number(key) - 1]?.card_id
    // On a button, Enter presses that button.
    const confirmed = key === 'Enter' && target === currentTarget ? likely : undefined
    const card_id = chosen ?? confirmed
    if (card_id !== undefined) return () => choose(shown, card_id)
    if (key === '0' || key === 'Delete') return () => remove(shown)
    if (key.toLowerCase() === 'a' && canReadAll) return () => readAll(shown)
    return key.toLowerCase() === 's' ? () => skip(shown) : undefined
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (item === undefined || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey)
      return
    const act = actionOf(item, event)
    if (act === undefined) return
    event.preventDefault()
    // A key that is held would decide about cards that nobody has looked at.
    if (!event.repeat && !isBusy) act()
  }

  return (
    <section
      ref={ref}
      className="panel stack review-panel"
      aria-labelledby="review"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="row review-head">
        <h2 id="review">{texts.toReview}</h2>
        <p className="soft">{texts.cardsLeft(total - (items.length - left.length))}</p>
      </div>
      {item !== undefined && (
        <div className="review-item">
          <div className="stack tight">
            <CropImage
              key={item.id}
              of={of}
              inbox={inbox}
              answered={answered}
              item={item}
              onSeen={() => setSeen(item.id)}
            />
            <p>{canReadAll ? SEVERAL_CARDS : (item.message ?? REASONS[item.status])}</p>
            <div className="row">
              {canReadAll && (
                <KeyButton
                  keys={['a']}
                  className="main"
                  isBusy={isBusy}
                  onClick={() => readAll(item)}
                >
                  {texts.readAllCards}
                </KeyButton>
              )}
              <KeyButton keys={['0', 'Delete']} isBusy={isBusy} onClick={() => remove(item)}>
                {texts.remove}
              </KeyButton>
              {left.length > 1 && (
                <KeyButton keys={['s']} onClick={() => skip(item)}>
                  {texts.skip}
                </KeyButton>
              )}
            </div>
            <FormError error={decisions.error} />
          </div>
          <CardChoices
            key={item.id}
            item={item}
            hasKeys
            preselected={likely}
            isBusy={isBusy}
            onChoose={(card_id) => choose(item, card_id)}
          />
        </div>
      )}
    </section>
  )
}

/** Button that a key presses, too. The first of its keys is shown on it. */
function KeyButton({
  keys,
  children,
  ...props
}: ComponentProps<typeof Button> & { keys: readonly [string, ...string[]] }) {
  return (
    <Button aria-keyshortcuts={keys.join(' ')} {...props}>
      <span className="choice-key" aria-hidden="true">
        {keys[0].toUpperCase()}
      </span>
      {children}
    </Button>
  )
}

/** Returns what can be decided about an item. */
function useDecisions(
  { ref, of, inbox, queue, onDecided }: ReviewPanelProps,
  onDone: (done: ScanSessionItem) => void,
) {
  const finish = (done: ScanSessionItem, text: string) => {
    onDone(done)
    void inbox?.deleteCrop(of, done.id)
    // The button that was pressed goes with its card; keys work on while the focus is in the panel.
    if (ref.current?.contains(document.activeElement)) ref.current.focus({ preventScroll: true })
    onDecided(text)
  }
  /** Fetches the items again, because another tab has changed them. */
  const refresh = (cause: unknown): never => {
    onDecided('')
    throw cause
  }
  const deleteItem = ({ id: item, revision }: ScanSessionItem) => {
    const path = { id: of.session, item }
    return api
      .delete('/v1/scan-sessions/{id}/items/{item}', { path, query: { revision } })
      .catch(refresh)
  }
  const choose = async (done: ScanSessionItem, card_id: number) => {
    const path = { id: of.session, item: done.id }
    const body = { card_id, revision: done.revision }
    const { data } = await api
      .patch('/v1/scan-sessions/{id}/items/{item}', { path, body })
      .catch(refresh)
    finish(done, texts.isInTheList(data.name))
  }
  const remove = async (done: ScanSessionItem) => {
    await deleteItem(done)
    finish(done, texts.cardWasRemoved)
  }
  const readAll = async (done: ScanSessionItem) => {
    const crop = await inbox?.getCrop(of, done.id)
    if (crop === undefined || queue === undefined) return
    await replaceByPage(queue, crop, () => deleteItem(done))
    finish(done, texts.allCardsOfThePhoto)
  }
  // Shared by all decisions, so that no key or button decides twice before the answer.
  const { start, isRunning, error } = useAction((decide: () => Promise<void>) => decide())
  return {
    choose: (item: ScanSessionItem, card_id: number) => void start(() => choose(item, card_id)),
    remove: (item: ScanSessionItem) => void start(() => remove(item)),
    readAll: (item: ScanSessionItem) => void start(() => readAll(item)),
    isBusy: isRunning,
    error,
  }
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, select, textarea') !== null
}

type CropImageProps = Pick<ReviewPanelProps, 'of' | 'inbox' | 'answered'> & {
  item: ScanSessionItem
  onSeen: () => void
}

/** Shows the part of the photo with the card. Only the browser that sent the photo has this part. */
function CropImage({ of, inbox, answered, item: { id, copied_from }, onSeen }: CropImageProps) {
  const { account, session } = of
  const [url, setUrl] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const name = copied_from ?? id
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer may bring the crop
  useEffect(() => {
    if (inbox === undefined || url !== undefined) return
    let isGone = false
    void inbox.getCrop({ account, session }, name).then((crop) => {
      if (isGone) return
      setMissing(crop === undefined)
      if (crop !== undefined) setUrl(URL.createObjectURL(crop.picture))
    })
    return () => {
      isGone = true
    }
  }, [inbox, account, session, name, answered, url])
  return (
    <div className="review-crop">
      {url !== undefined && (
        // Released once it is loaded: before that, the browser would report a missing file.
        <img
          src={url}
          alt={texts.yours}
          onLoad={() => {
            URL.revokeObjectURL(url)
            onSeen()
          }}
        />
      )}
      {isMissing && <p className="small soft">{texts.photoIsInTheBrowser}</p>}
    </div>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  ambiguous: texts.whichOfTheseIsIt,
  retake: texts.photoCouldNotBeReadSearch,
  not_found: texts.noMatchFoundSearch,
  unsupported: texts.notInTheCatalog,
}
