import { currencyName } from '../format.ts'
import { useCurrency } from './currency.ts'

/** List of currencies behind the code of the chosen one. Hidden if there is nothing to choose. */
export function CurrencySelect() {
  const { currency, choices, choose } = useCurrency()
  if (choices.length < 2) return null
  return (
    <label className="currency-select" title="Currency">
      <span aria-hidden="true">{currency}</span>
      <span className="visually-hidden">Currency</span>
      <select value={currency} onChange={({ target }) => choose(target.value)}>
        {choices.map((code) => (
          <option key={code} value={code}>
            {code} – {currencyName(code)}
          </option>
        ))}
      </select>
    </label>
  )
}
