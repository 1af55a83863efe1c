/** The most characters of one message. */
export const MAX_TEXT = 8_000

/** How much of the conversation the model is given. */
export const HISTORY_LENGTH = 10
