/** Version 1.1.0 has no types, and those of DefinitelyTyped lack `preferred`. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string>> })
    /** Returns the acceptable ones, best first; `preferred` decides between equals. */
    encodings<Name extends string>(
      available: readonly Name[],
      options: { preferred: readonly Name[] },
    ): Name[]
    /** Returns the acceptable media types, best first. */
    mediaTypes<Type extends string>(available: readonly Type[]): Type[]
  }
}
