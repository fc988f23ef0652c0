/** Decimals of the token that pays. */
export const TOKEN_DECIMALS = 6

/** Price of one photo that is paid over HTTP 402 (specification, Photo identification), in cents. */
export const PHOTO_PRICE_CENTS = 2

/** Amount of this price in the smallest units of the token. */
export const PHOTO_PRICE_ATOMIC = String((PHOTO_PRICE_CENTS * 10 ** TOKEN_DECIMALS) / 100)
