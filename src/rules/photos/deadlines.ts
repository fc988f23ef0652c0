/** Maximum time of a photo in the queue. */
export const PHOTO_QUEUE_MS = 10_000

/** Maximum time to read a photo. */
export const PHOTO_READING_MS = 20_000

/**
 * Maximum time of a page and of its cards in the queue. It is longer, because cutting another page takes seconds.
 */
export const PAGE_QUEUE_MS = 30_000

/** Maximum seconds to answer a photo: in the queue and of reading, both twice if the reader crashed on it. */
export const ANSWER_DEADLINE_SECONDS = (2 * (PHOTO_QUEUE_MS + PHOTO_READING_MS)) / 1_000

/** Milliseconds after which no further card of a page is read, because its response is due. */
export const PAGE_READING_MS = 45_000

/** Maximum seconds to answer a page, because its last card may be read until the deadline of a photo. */
export const PAGE_SECONDS_MAX = PAGE_READING_MS / 1_000 + ANSWER_DEADLINE_SECONDS
