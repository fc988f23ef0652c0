/** The games of the bundled sample (data/sample/tcgplayer/categories); no marketplace has these ids. */
export const SAMPLE_GAME_IDS: readonly number[] = [9001, 9002, 9003]
