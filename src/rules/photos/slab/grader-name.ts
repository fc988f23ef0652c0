// Reads the name of a grader that is not known.
import { GRADE_WORDS } from '../../pricing/grades.ts'
import { spanConfidence } from '../span-confidence.ts'
import { splitColumns } from '../split-columns.ts'
import { type PrintedLine, soleValue } from '../text-line.ts'

/** Graders print their initials or a short name as a logo, or say that they grade: "ACME", "Apex Grading". */
const INITIALS = /^[A-Z]{2,5}$/
const GRADING = /^([A-Z][A-Z ]*?) (?:CARD )?GRAD(?:ING|ED)(?: .*)?$/

/** Words of labels that are not graders. */
const NO_GRADER =
  /^(?:HOLO|FOIL|RARE|FULL|ART|ALT|BASE|SET|CARD|CARDS|GAME|TCG|CCG|PROMO|MAGIC|ULTRA|BASIC|GEM|MINT|EX|GX|VMAX|VSTAR|EDGES|CENT|CORN|SURF|GRADE|FINAL|ENG|JPN|JAP|EN|JP|THE|OF|YEAR)$/

/** Minimum height of a logo, as a share of the tallest letters of the label. */
const LOGO_HEIGHT_MIN = 0.8

/**
 * Returns the grader as printed; empty if no text or several texts of the label may be one.
 *
 * @param isName returns whether a text is the name of a card
 */
export function readGrader(
  label: readonly PrintedLine[],
  confidenceMin: number,
  isName: (text: string) => boolean,
): string {
  const written = label.filter(({ text }) => /\p{L}{2}/u.test(text))
  const tallest = Math.max(...written.map(({ heightPx }) => heightPx))
  const found = written.flatMap((line) =>
    splitColumns(line).flatMap((column) => {
      const text = column.toUpperCase()
      const [, company] = GRADING.exec(text) ?? []
      const isLogo = INITIALS.test(column) && line.heightPx >= LOGO_HEIGHT_MIN * tallest
      const grader = company ?? (isLogo ? column : '')
      if (grader === '' || NO_GRADER.test(grader) || GRADE_WORDS.has(grader)) return []
      return spanConfidence(line.ctc, column) >= confidenceMin && !isName(grader) ? grader : []
    }),
  )
  return soleValue(found)
}
