/** Selects members of an object. */
export function pick<Row, Name extends keyof Row>(
  row: Row,
  names: readonly Name[],
): Pick<Row, Name> {
  // It has exactly these members.
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>
}

/** Members of an object, if they are given. */
export type Given<Row> = { [Name in keyof Row]?: Exclude<Row[Name], undefined> }

/** Selects the members of an object that are not undefined. */
export function pickGiven<Row extends object>(row: Row): Given<Row> {
  // Only members that are undefined are missing.
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== undefined),
  ) as Given<Row>
}
