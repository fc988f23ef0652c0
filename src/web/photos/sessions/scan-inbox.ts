import { type DBSchema, openDB } from 'idb'
import { ApiError } from '#client/client.ts'
import * as texts from '#texts/photos/review.ts'

/** A scan session of an account. The inbox never mixes accounts. */
export type InboxSession = { account: number; session: string }

/** A photo that the server has not answered yet. */
export type InboxPhoto = InboxSession & {
  /**
   * Sent with the photo, so that the server charges a repeated one once. Keys sort in the order in which photos were
   * added.
   */
  key: string
  /** In epoch milliseconds. */
  added_at: number
  file: Blob
  /** Slug of the game to search; undefined for all. */
  game: string | undefined
  /** True if the photo shows several cards. */
  isPage: boolean
  /** Reason for which the photo was refused and is not sent again. */
  problem?: string
}

/** Picture of an item that needs a decision, and the game to which its search was restricted. */
export type ReviewCrop = InboxSession &
  Pick<InboxPhoto, 'added_at' | 'game'> & { item: string; picture: Blob }

type PhotoKey = Pick<InboxPhoto, 'account' | 'session' | 'key'>

/** Photos and crops that stay in this browser until they are answered, also after a crash. */
export type ScanInbox = {
  /** Adds or replaces a photo. @throws ApiError if the storage is full */
  putPhoto(photo: InboxPhoto): Promise<void>
  /** Lists the photos of a session in the order of their keys. Does not load their files. */
  listPhotos(of: InboxSession): Promise<InboxPhoto[]>
  /** Returns undefined for a photo that another tab has settled. */
  getPhoto(photo: PhotoKey): Promise<InboxPhoto | undefined>
  deletePhoto(photo: PhotoKey): Promise<void>
  /** Replaces an answered photo by crops of its doubtful cards and photos of its unread ones, in one step. */
  settlePhoto(
    photo: PhotoKey,
    crops: readonly ReviewCrop[],
    unread: readonly InboxPhoto[],
  ): Promise<void>
  getCrop(of: InboxSession, item: string): Promise<ReviewCrop | undefined>
  deleteCrop(of: InboxSession, item: string): Promise<void>
  deleteSession(of: InboxSession): Promise<void>
}

type InboxSchema = DBSchema & {
  photos: { key: [account: number, session: string, key: string]; value: InboxPhoto }
  crops: { key: [account: number, session: string, item: string]; value: ReviewCrop }
}

/** Time after their last change at which the server deletes sessions, in milliseconds. */
const KEPT_MS = 30 * 86_400_000

/** Opens the inbox and deletes old entries. @throws ApiError if the browser stores nothing for this site */
export async function openScanInbox(): Promise<ScanInbox> {
  const db = await open().catch((cause: unknown) => {
    throw new ApiError('NO_STORAGE', NO_STORAGE, { cause })
  })
  const both = () => db.transaction(['photos', 'crops'], 'readwrite')
  await deleteExpired()

  async function deleteExpired(): Promise<void> {
    const since = Date.now() - KEPT_MS
    const tx = both()
    for (const store of [tx.objectStore('photos'), tx.objectStore('crops')]) {
      for await (const cursor of store) if (cursor.value.added_at < since) await cursor.delete()
    }
    await tx.done
  }

  return {
    putPhoto: (photo) => reportFull(db.put('photos', photo)),
    listPhotos: (of) => db.getAll('photos', rangeOf(of)),
    getPhoto: (photo) => db.get('photos', keyOf(photo)),
    deletePhoto: (photo) => db.delete('photos', keyOf(photo)),
    settlePhoto(photo, crops, unread) {
      const tx = both()
      const [photos, pictures] = [tx.objectStore('photos'), tx.objectStore('crops')]
      const steps = [
        photos.delete(keyOf(photo)),
        ...unread.map((one) => photos.put(one)),
        ...crops.map((crop) => pictures.put(crop)),
      ]
      return reportFull(Promise.all([...steps, tx.done]))
    },
    getCrop: ({ account, session }, item) => db.get('crops', [account, session, item]),
    deleteCrop: ({ account, session }, item) => db.delete('crops', [account, session, item]),
    async deleteSession(of) {
      const tx = both()
      await tx.objectStore('photos').delete(rangeOf(of))
      await tx.objectStore('crops').delete(rangeOf(of))
      await tx.done
    },
  }
}

function open() {
  return openDB<InboxSchema>('cardstock.scans', 1, {
    upgrade(db) {
      db.createObjectStore('photos', { keyPath: ['account', 'session', 'key'] })
      db.createObjectStore('crops', { keyPath: ['account', 'session', 'item'] })
    },
  })
}

function keyOf({ account, session, key }: PhotoKey): InboxSchema['photos']['key'] {
  return [account, session, key]
}

/** Returns the range of all keys of a session: IndexedDB sorts texts after numbers, and lists after texts. */
function rangeOf({ account, session }: InboxSession): IDBKeyRange {
  return IDBKeyRange.bound([account, session], [account, session, []])
}

/** @throws ApiError if the storage is full */
async function reportFull(writing: Promise<unknown>): Promise<void> {
  await writing.catch((cause: unknown) => {
    throw new ApiError('NO_STORAGE', STORAGE_FULL, { cause })
  })
}

const NO_STORAGE = texts.browserStoresNoPhotos
const STORAGE_FULL = texts.storageOfThisBrowserIsFull
