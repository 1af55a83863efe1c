/** The longest text of a guest. */
export const MAX_WORDS = 1000
/** The longest reply of the restaurant. */
export const MAX_REPLY = 2000
