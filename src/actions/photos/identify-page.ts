import type { Deps } from '#deps.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { ClientLeft } from '#rules/photos/client-left.ts'
import type { CutCard, PageCut } from '#rules/photos/page-cut.ts'
import type { VerdictStatus } from '#rules/photos/verdict.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { NewScanPhoto } from '#store/ledger/collections/scan-photos.ts'
import type { PhotoSettlement } from '#store/ledger/scans.ts'
import { findGame } from '../catalog/find-game.ts'
import { choosePrices } from '../pricing/choose-prices.ts'
import { payerOf } from './accept-photo.ts'
import { countFreeCard, freeCardLimits } from './free-cards.ts'
import type { PhotoRequest } from './identify-photo.ts'
import { type CardPlace, orderCards } from './order-cards.ts'
import { type PageScans, takePageScans } from './page-scans.ts'
import { type readPhoto, readPhotoAndFingerprint } from './read-photo.ts'

type PageDeps = Pick<
  Deps,
  'catalog' | 'config' | 'ledger' | 'log' | 'pageProgress' | 'reader' | 'now'
>

export type PagePhotoRequest = PhotoRequest & {
  /** Maximum number of scans that the page may use. */
  scansMax: number
  /** Stops before the next card, because the response is due. */
  signal: AbortSignal
  /** Describes the photo for its scan session. The description is stored together with the scans. */
  describeForSession?: (page: IdentifiedPage) => NewScanPhoto
}

/** Reason why a detected card was not read. */
export type UnreadReason = 'scans' | 'max_scans' | 'reader' | 'time'

type PageCard = Awaited<ReturnType<typeof readPhoto>> & CardPlace

export type IdentifiedPage = {
  photo: PageCut['size']
  /** In the order of rows and columns. */
  cards: PageCard[]
  unread: (CardPlace & { reason: UnreadReason })[]
}

/**
 * Identifies the cards of one photo, each in its own turn. A card that is matched or ambiguous uses one scan, and so does
 * a photo without a card; other cards do after the free ones of the day. All scans are settled in one transaction at the
 * end, so that a crash charges nothing. If the client leaves, no further card is read and nothing is stored.
 *
 * @throws ServiceError as `identifyPhoto`; a failure of the reader only if no card was read
 */
export async function identifyPage(
  deps: PageDeps,
  request: PagePhotoRequest,
): Promise<{ data: IdentifiedPage; settlement: PhotoSettlement }> {
  const game = findGame(deps, request.game)
  const catalog = choosePrices(deps, request.choice ?? {})
  const scans = await takePageScans(deps, request)
  try {
    const network = clientNetwork(request.address)
    const sender = { network, payer: payerOf(request.account_id) }
    const { clientSignal } = request
    const cut = await deps.reader.cut(request.photo, { gameId: game?.id, sender, clientSignal })
    await scans.reserveCredit(cut.cards.length)
    const progress = deps.pageProgress.begin(request.account_id, cut.cards.length)
    const onCard = progress.advance
    const data = await readCards(
      { ...deps, catalog },
      { ...request, game, sender, onCard },
      cut,
      scans,
    ).finally(progress.end)
    const session = request.describeForSession?.(data)
    const settlement = await scans.record({ cards: cut.cards.length, session })
    return { data, settlement }
  } catch (cause) {
    throw await scans.fail(cause)
  } finally {
    scans.stopRenewal()
  }
}

type CardRequest = Omit<PagePhotoRequest, 'game'> & {
  game: { id: number; slug: string } | undefined
  sender: { network: string; payer: string }
  /** Called after each card. */
  onCard: () => void
}

/**
 * Reads the cards in order. A card for which the reader fails stays unread; after two consecutive failures, all
 * remaining cards do.
 */
async function readCards(
  deps: PageDeps,
  request: CardRequest,
  { size, cards }: PageCut,
  scans: PageScans,
): Promise<IdentifiedPage> {
  const page: IdentifiedPage = { photo: size, cards: [], unread: [] }
  let failure: unknown
  let failuresInRow = 0
  for (const { card, place } of orderCards(cards)) {
    if (request.clientSignal?.aborted) throw new ClientLeft(page.cards.length === 0)
    const reason = failuresInRow >= FAILURES_MAX ? 'reader' : await reasonToStop(request, scans)
    if (reason !== undefined) {
      page.unread.push({ ...place, reason })
      continue
    }
    try {
      page.cards.push({ ...(await readCard(deps, request, { card, size }, scans)), ...place })
      failuresInRow = 0
    } catch (cause) {
      if (!(cause instanceof ServiceError) || cause instanceof ClientLeft) throw cause
      failure = cause
      failuresInRow++
      page.unread.push({ ...place, reason: 'reader' })
    }
    request.onCard()
  }
  if (page.cards.length === 0 && failure !== undefined) throw failure
  return page
}

/** Number of consecutive failures after which the reader is considered down. */
const FAILURES_MAX = 2

async function reasonToStop(
  { scansMax, signal }: CardRequest,
  scans: PageScans,
): Promise<UnreadReason | undefined> {
  if (scans.used() >= scansMax) return 'max_scans'
  if (signal.aborted) return 'time'
  return (await scans.reserveNext()) ? undefined : 'scans'
}

/** Reads one card, and adds its identification to the scans of its page. */
async function readCard(
  deps: PageDeps,
  { game, sender, address, clientSignal, prices, confidence }: CardRequest,
  { card: { jpeg, placement }, size }: { card: CutCard; size: PageCut['size'] },
  scans: PageScans,
) {
  const { catalog, reader, now } = deps
  const { data: result, fingerprint } = await readPhotoAndFingerprint(
    { catalog, reader },
    {
      id: '',
      photo: jpeg,
      sender,
      clientSignal,
      game,
      prices,
      card: { placement, page: size },
      confidenceDay: confidence ? dayOf(now()) : undefined,
    },
  )
  const usesScan =
    CHARGED.has(result.status) ||
    !(await countFreeCard(deps, freeCardLimits(deps, { payer: sender.payer, address })))
  const data = { ...result, id: scans.nextId(usesScan) }
  const { id, status } = data
  scans.add(
    {
      id,
      status,
      at: now().getTime(),
      game: game?.slug ?? null,
      data: JSON.stringify(data),
      fingerprint,
    },
    usesScan,
  )
  return data
}

/** Statuses of cards that use a scan in any case. */
const CHARGED: ReadonlySet<VerdictStatus> = new Set(['matched', 'ambiguous'])
