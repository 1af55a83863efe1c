/** The maximum characters of a message. */
export const MAX_TEXT = 8_000

/** How many of the latest messages the model receives. */
export const HISTORY_LENGTH = 10
