// Every number that the verdict on a photo depends on. They are calibrated on photos that no training
// saw (docs/decisions); whoever changes one measures again.

export const THRESHOLDS = {
  /**
   * Cards are near from here on; below, they are listed in no answer. Of 500 photos of strangers and of
   * no card, none came nearer than 382 bits or a cosine of 0.83; 95 in 100 cards of the catalog are within
   * 246 bits.
   */
  plausible: {
    cosineMin: 0.55,
    distanceMax: 380,
    cosineSure: 0.8,
    /** Less than this for all of them together, and the catalog lacks the card: a name alone is many cards'. */
    totalScoreMin: 0.1,
  },

  /**
   * A name that fits its line as well as this may be the card's, whatever its picture; so may one that
   * fits only in part, where the number fits, too.
   */
  named: { nameFitMin: 0.75, numberFitMin: 0.8, nameHintMin: 0.3 },

  /**
   * What `matched` asks for. `margin` is the cosine's lead over the best card that shows another art,
   * `distance` the differing bits of 1,024 between the hashes, of which strangers have 360 and more.
   */
  matched: {
    /** On the picture alone. */
    byArt: { scoreMin: 0.8, cosineMin: 0.6, marginMin: 0.1, distanceMax: 300 },
    /** Where the printed number says the same. */
    byArtAndNumber: { scoreMin: 0.8, cosineMin: 0.6, marginMin: 0.05, distanceMax: 360 },
    /** On the print alone, of a card whose picture is not known. */
    byPrint: { scoreMin: 0.8 },
    /**
     * Between cards of one art, on the letters of the number, read surely or not: how well the best
     * card's fits, and how many times as likely it must be as any other's. Right for 179 of 376 rendered
     * reprints, and wrong for none.
     */
    byLetters: { fitMin: 0.8, oddsMin: 1_000 },
    /** Share of agreeing words from which a name or a set that was read is the card's. */
    wordsMin: 0.8,
  },

  /**
   * The score is e^z / (1 + the sum of e^z of all cards), where z sums up each piece of evidence
   * (evidence.ts) times its weight; the 1 is for none. Fitted by scripts/training/weigh.py.
   */
  score: {
    cosine: 16,
    margin: 14.7,
    distance: -1.2,
    /** For each hundred bits by which a card's own picture is further away than the nearest of its art. */
    apart: -0.5,
    /** For a card whose picture is not known, and for one whose picture is, and is not near. */
    unseen: 0,
    unlike: -4.6,
    numberExact: 4.2,
    numberPartial: 1.1,
    /** How well the letters fit, where they were not read surely. */
    numberFit: 7.9,
    nameFit: 5.5,
    /** For a name or a set of which all words agree; half of it against, where none does. */
    nameWords: 0.6,
    setWords: 2.4,
    /**
     * Against a card whose edition or kind of product is another one than the photo's. More than what
     * its number can speak for it: a stamped card has the number of the one without.
     */
    editionWrong: -6,
    productWrong: -6,
  },

  /**
   * What the look of the surface must reach (data/model/README.md). At `foilMin` the share of held-out
   * photos without foil that are told as foil is surely below 0.5 %; of those with foil, 11 % reach it. The
   * network cannot tell stamps yet: none of 4,800 photos came to 0.05, so that `plainMax` lets nothing pass
   * until another network can.
   */
  finish: { foilMin: 0.998, stampMax: 0.01 },

  /** A photo is good enough within these. */
  quality: {
    /** What a printed number needs to be read: it is some 2 mm high. */
    pxPerMmMin: 5.5,
    blurMmMax: 0.6,
    glareMax: 0.08,
    brightnessMin: 45,
    /** The refiner's own confidence; its misses were sure to 0.4, its hits to 0.9 and more. */
    cornerConfidenceMin: 0.6,
  },
} as const

/** The specification's limit. */
export const CANDIDATES_MAX = 10
