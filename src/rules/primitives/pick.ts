/** Selects members of an object. */
export function pick<Row, Name extends keyof Row>(
  row: Row,
  names: readonly Name[],
): Pick<Row, Name> {
  // It has exactly these members.
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>
}
