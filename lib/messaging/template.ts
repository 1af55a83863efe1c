import 'server-only'
import { createTemplateThread } from './template-thread'
import type { TemplateItem } from './template-worker'

/** A template that cannot be parsed or rendered; `line` counts from 1. */
export class TemplateError extends Error {
  constructor(
    message: string,
    readonly line: number | null,
  ) {
    super(message)
    this.name = 'TemplateError'
  }
}

// Two threads: what people try out never holds up what is being sent.
const threads = { people: createTemplateThread(), outbox: createTemplateThread() }

/** Who waits for the result. */
export type TemplateUse = keyof typeof threads

/**
 * Renders texts in Liquid with their variables, all in one go, outside the server's event loop and within limits of
 * tags, filters, ranges, time, memory and length.
 * @returns the texts of each item, or why one of them cannot be rendered
 */
export async function renderTemplates(
  use: TemplateUse,
  items: (TemplateItem & { variables: Record<string, unknown> })[],
): Promise<(string[] | TemplateError)[]> {
  if (items.length === 0) return []
  const answers = await threads[use].run(items)
  return answers.map((answer) =>
    'texts' in answer ? answer.texts : new TemplateError(answer.error.message, answer.error.line),
  )
}

/**
 * Parses texts in Liquid under the same limits.
 * @returns the first mistake and the index of its text; null when there is none
 */
export async function templateMistake(
  texts: string[],
): Promise<{ index: number; error: TemplateError } | null> {
  const [answer] = await threads.people.run([{ texts, variables: null }])
  if (!answer || 'texts' in answer) return null
  const { index, message, line } = answer.error
  return { index, error: new TemplateError(message, line) }
}
