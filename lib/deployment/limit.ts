/** How long (ms) a part of the check may wait for one answer: the whole report has to be there within a minute. */
export const ANSWER_MS = 5_000

/** The signal that ends a question after that time. */
export const limit = (): AbortSignal => AbortSignal.timeout(ANSWER_MS)
