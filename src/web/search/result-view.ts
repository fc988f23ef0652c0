import { useState } from 'react'
import * as texts from '#texts/search/search.ts'
import { useMediaQuery } from '../hooks/use-media-query.ts'
import { readStored, writeStored } from '../stored-text.ts'

/** Ways to show results, with their names. */
export const RESULT_VIEWS = [
  ['rows', texts.rows],
  ['tiles', texts.tiles],
] as const

export type ResultView = (typeof RESULT_VIEWS)[number][0]

const KEY = 'cardstock.results'

/** Returns how results are shown, and a function that chooses it: rows on a phone and tiles elsewhere by default. */
export function useResultView(): [ResultView, (view: ResultView) => void] {
  const isPhone = useMediaQuery('(max-width: 47.99rem)')
  const [chosen, setChosen] = useState(readView)
  function choose(view: ResultView): void {
    setChosen(view)
    writeStored(KEY, view)
  }
  return [chosen ?? (isPhone ? 'rows' : 'tiles'), choose]
}

function readView(): ResultView | undefined {
  const stored = readStored(KEY)
  return RESULT_VIEWS.find(([view]) => view === stored)?.[0]
}
