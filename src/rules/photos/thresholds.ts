// All thresholds of the verdict. If a comment gives counts, the threshold was calibrated on photos not used in
// training (docs/decisions). `unseen` and `numberUnseen` are estimates, because rendered photos do not vary what they
// weigh; `distancePerCosine`, `namesake` and `numberAloneMin` are unfitted estimates. After a change, run the
// benchmarks again.

export const THRESHOLDS = {
  /**
   * Limits for the cards that responses list. None of 500 photos without a card of the catalog came closer than 382
   * bits or a cosine of 0.83. 95 % of the cards in the catalog are within 246 bits.
   */
  plausible: {
    cosineMin: 0.55,
    /** Limit of the distance at `cosineMin`, and its growth per unit of the cosine. */
    distanceMax: 380,
    distancePerCosine: 40,
    /** Sufficient without the hash. */
    cosineSure: 0.8,
    /**
     * Sufficient for the visible part of a covered card. Of 740 crops with 40 to 70 % of a scan, 90 % of those
     * nearest to their own picture reach 0.62 to 0.66; half of the others stay below 0.65.
     */
    cosineCovered: 0.65,
    /** Minimum sum of all scores. Below it, the verdict is `not_found`: many cards share a name. */
    totalScoreMin: 0.1,
  },

  /**
   * Fits that make a card plausible regardless of its picture: the name alone, the number with a hint of the name, or
   * only a number that few cards have, if no name was read.
   */
  named: { nameFitMin: 0.75, numberFitMin: 0.8, nameHintMin: 0.3, numberAloneMin: 0.95 },

  /**
   * Requirements of `matched`. `margin` is the lead of the cosine over the best card with another art.
   * `distance` is the number of differing bits of 1,024; other cards have at least 360.
   */
  matched: {
    /** By picture alone. */
    byArt: { scoreMin: 0.8, cosineMin: 0.6, marginMin: 0.1, distanceMax: 300 },
    /**
     * By picture alone if vectors are close, as of cards with one frame and similar art: `lead` is that of the distance.
     * None of 250 photos is matched with its card and its art taken out of the catalog, and none of 70 strangers.
     */
    byArtAndHash: {
      scoreMin: 0.8,
      cosineMin: 0.6,
      marginMin: 0.08,
      distanceMax: 300,
      leadMin: 100,
    },
    /**
     * By picture alone against another name: catalogs name some cards otherwise than their print does. Photos of cards
     * outside the catalog come no closer than a cosine of 0.83 and 382 bits.
     */
    beyondDoubt: { cosineMin: 0.85, marginMin: 0.1, distanceMax: 200 },
    /** By picture, confirmed by the printed number. */
    byArtAndNumber: { scoreMin: 0.8, cosineMin: 0.6, marginMin: 0.05, distanceMax: 360 },
    /**
     * Between cards of one art, by the letters of the number at any confidence: minimum fit of the best card, and
     * minimum odds against every other card. Decides 179 of 376 rendered reprints, none of them wrongly.
     */
    byLetters: { fitMin: 0.8, oddsMin: 1_000 },
    /**
     * Against a card of the same name without a picture, which shares the art less often (`score.unseen`): minimum
     * odds, and minimum fit of the best card's number if the other card has none.
     */
    namesake: { oddsMin: 100, fitMin: 0.9 },
    /** Minimum share of common words for a name or a set to agree. */
    wordsMin: 0.8,
  },

  /**
   * Weights of the evidence. The score is e^z / (1 + the sum of e^z of all cards), where z is the weighted
   * sum. The 1 stands for "none". Fitted by scripts/training/cardstock_training/evaluate/fit_evidence.py on half of the
   * cards; on the others the loss fell from 0.28 to 0.22 and the calibration error from 0.061 to 0.048.
   */
  score: {
    cosine: 17.1,
    margin: 13.3,
    distance: -1.43,
    /** Per hundred bits by which the card's picture is further away than the nearest picture of its art. */
    apart: -0.52,
    /**
     * For a card without an indexed picture, if any is indexed: log(0.1). Few reprints share the art of cards with
     * their name, so a compared picture counts more than one that was not compared.
     */
    unseen: -2.3,
    /** For a card whose picture is not similar. */
    unlike: -3.8,
    numberExact: 4,
    numberPartial: 1,
    /** Fit of letters that were not read with confidence. */
    numberFit: 6.1,
    /**
     * For a card whose number cannot be compared, if the photo shows one: log(0.37), in addition to the best fit
     * below neutral.
     */
    numberUnseen: -1,
    nameFit: 4.7,
    /** For a name or a set in which all words agree; minus half of it if no word does. */
    nameWords: 2.2,
    setWords: 2.6,
    /** Fit of the set's code, for letters that were not read with confidence. */
    setFit: 5.6,
    /**
     * For another edition or product type. Outweighs an exact number, because stamped and unstamped cards have the
     * same number.
     */
    editionWrong: -6,
    productWrong: -6,
  },

  /**
   * Limits of the finish (data/model/README.md). At `foilMin` the false positive rate on held-out photos is below
   * 0.5 %. `stampFitMin` is the minimum fit of the letters of a line to the words of a stamp.
   */
  finish: { foilMin: 0.993, stampFitMin: 0.3 },

  /**
   * Minimum confidence of reported fields, chosen with 1,610 photos and tested with 1,603 of other cards
   * (evaluate/calibrate_reporting.py; data/model/README.md has the table). Wrong on the tested half: 1 of 579
   * numbers, 1 of 589 names, 0 of 184 set codes.
   */
  reading: {
    /** Applies to the part of a line that is the number, the code or the name (span-confidence.ts). */
    numberMin: 0.95,
    /** Applies to a number that a card with the name that was read has (confirm-print.ts): 0 of 322 were wrong. */
    numberLikelyMin: 0.3,
    codeMin: 0.95,
    nameMin: 0.99,
    /** Applies to a name that exists in the catalog (confirm-print.ts): 0 of 750 were wrong. */
    nameLikelyMin: 0.3,
    /** Applies to a whole line: a stamp, or the only evidence on a label. */
    stampMin: 0.97,
    labelMin: 0.97,
    /** Applies to grader, grade and words that agree: 272 of 360 slabs were read, none wrongly. */
    gradeMin: 0.4,
  },

  /** Limits of a good photo. */
  quality: {
    /** Required to read a number, which is about 2 mm high. */
    pxPerMmMin: 5.5,
    /** Maximum share of the photo's height that a card fills in an ordinary photo. */
    cardShare: 0.7,
    blurMmMax: 0.6,
    glareMax: 0.08,
    brightnessMin: 45,
    /** Confidence of the refiner: up to 0.4 for wrong corners, at least 0.9 for right ones. */
    cornerConfidenceMin: 0.6,
  },
} as const

/** Limit of the specification. */
export const CANDIDATES_MAX = 10
