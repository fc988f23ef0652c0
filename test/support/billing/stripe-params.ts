// Parameters as Stripe takes them: objects and lists are spelled with brackets.

/** `name[key]=value` as an object. */
export function objectIn(params: URLSearchParams, name: string): Record<string, string> {
  return Object.fromEntries(
    [...params].flatMap(([key, value]) =>
      key.startsWith(`${name}[`) ? [[key.slice(name.length + 1, -1), value]] : [],
    ),
  )
}

/** `name[0]=a&name[1]=b` as a list. */
export function listIn(params: URLSearchParams, name: string): string[] {
  return Object.values(objectIn(params, name))
}
