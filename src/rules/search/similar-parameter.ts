import { editDistance } from './spelling.ts'

/**
 * Finds the parameter that a caller probably meant by an unknown one: another spelling (`perPage`), the name in other
 * interfaces (`limit` for `per_page`), or a typing mistake (`seach`).
 *
 * @param known names of the endpoint's parameters
 */
export function findSimilarParameter(name: string, known: readonly string[]): string | undefined {
  const key = bare(name)
  if (key === '' || key.length > KEY_LENGTH_MAX) return undefined
  return (
    known.find((parameter) => bare(parameter) === key) ??
    known.find((parameter) => SYNONYMS[parameter]?.has(key)) ??
    known.find((parameter) => isMistyped(key, bare(parameter)))
  )
}

function isMistyped(key: string, parameter: string): boolean {
  if (parameter.length < MISTYPED_LENGTH_MIN) return false
  const edits = parameter.length < LONG_LENGTH_MIN ? 1 : 2
  return editDistance(key, parameter, edits) <= edits
}

/** Nearly every other word is one edit away from a shorter name. */
const MISTYPED_LENGTH_MIN = 4
const LONG_LENGTH_MIN = 8
const KEY_LENGTH_MAX = 40

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Names of parameters in other interfaces, without case and punctuation. */
const SYNONYMS: Readonly<Record<string, ReadonlySet<string>>> = {
  per_page: words(
    'limit pagesize size count take first max maxresults results resultsperpage rows',
  ),
  page: words('pagenumber pageno pageindex p offset skip start cursor'),
  q: words('query search searchterm term text keyword keywords name s find'),
  sort: words('order orderby sortby ordering sortorder'),
  game: words('gameid gameslug gamename category categoryid tcg'),
  set_id: words('set setslug setname setcode group groupid expansion expansionid'),
  code: words('abbreviation setcode symbol'),
  ids: words('id cardid cardids productids productid cards'),
  fields: words('select include only columns attributes properties props'),
  min_price: words('min pricemin pricefrom priceabove'),
  max_price: words('max pricemax priceto pricebelow'),
  printing: words('variant finish foil subtype subtypename'),
  type: words('producttype kind'),
  updated_after: words('since updatedsince modifiedsince modifiedafter changedsince after'),
  range: words('days period from timeframe interval'),
  limit: words('perpage pagesize size count take max'),
  period: words('range days timeframe interval window'),
  format: words('output as accept'),
}
