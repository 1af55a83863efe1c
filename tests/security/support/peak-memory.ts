import { answerQuestions } from '../../bench/support/worker'

/** An answer, and the most memory (bytes) that this process has taken so far beyond what it took when it was loaded. */
export interface Weighed<Answer> {
  answer: Answer
  peak: number
}

// In kilobytes, on every system.
const maxRss = () => process.resourceUsage().maxRSS * 1024

/**
 * Answers questions in a process that does nothing else, and weighs it: in a test's own process others' garbage counts.
 * To be called by a module that `startWorker` starts.
 */
export function weighAnswers<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  const loaded = maxRss()
  answerQuestions(async (question: Question): Promise<Weighed<Answer>> => {
    const given = await answer(question)
    return { answer: given, peak: maxRss() - loaded }
  })
}
