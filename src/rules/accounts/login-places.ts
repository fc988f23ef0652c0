// Networks from which an account has logged in before, which have their own allowance of attempts.

/** Maximum number of places per account; a further one replaces the one unused for longest. */
export const LOGIN_PLACES_MAX = 10

/** A place is forgotten after these days without a login. */
export const LOGIN_PLACE_DAYS = 90

/** Text whose keyed hash is stored as the place: the same network differs between accounts. */
export function loginPlaceText(accountId: number, network: string): string {
  return `${accountId} ${network}`
}
