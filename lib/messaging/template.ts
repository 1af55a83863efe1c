import 'server-only'
import { Worker } from 'node:worker_threads'
import {
  designedContent,
  designOf,
  designTexts,
  lookOf,
  plainContent,
  type Sending,
  senderOf,
} from '@/lib/email-design/content'
import { imagesOfDesign, textsOfDesign } from '@/lib/email-design/schema'
import type { InputProblem } from '@/lib/http/issues'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { closeGaps, GAP, withoutGaps } from './gaps'
import { type OptOutLine, withOptOut } from './opt-out-line'
import type { Channel, Content, Facts, Template } from './schema'
import { type Spoken, spoken } from './spoken'
import type { Mistake, Progress, TemplateAnswer, TemplateItem } from './template-worker'
import { variablesOf } from './variables'

/** A template that cannot be parsed or rendered: `code` and `what` are the reason, `line` counts from 1. */
export class TemplateError extends Error {
  readonly code: Mistake['code']
  readonly what: string
  readonly line: number | null

  constructor({ code = 'template_invalid', what = '', message, line = null }: Partial<Mistake>) {
    super(message)
    this.name = 'TemplateError'
    this.code = code
    this.what = what
    this.line = line
  }

  /** The error as an input problem of the text's field. */
  problemAt(path: string): InputProblem {
    const { code, what, line, message } = this
    const at = line === null ? '' : `line ${line}: `
    return { path, code, message: `${at}${message}`, params: { line: line ?? 1, what } }
  }
}

/** A message that would have no subject or no text for its guest: it is not sent. */
export class EmptyMessage extends TemplateError {
  constructor() {
    super({ message: 'without a subject or a text' })
  }
}

// Two threads: previews never delay messages being sent.
const threads = { people: createTemplateThread(), outbox: createTemplateThread() }

/** The purpose of the result. */
export type TemplateUse = keyof typeof threads

/**
 * Renders texts in Liquid with their variables, all in one go, outside the server's event loop and within limits of
 * tags, filters, ranges, time, memory and length.
 * @returns the texts of each item, with GAP where an output is empty, or the error of one of them
 */
export async function renderTemplates(
  use: TemplateUse,
  items: (TemplateItem & { variables: Record<string, unknown> })[],
): Promise<(string[] | TemplateError)[]> {
  if (items.length === 0) return []
  // A preview shows what is there; what is sent must not have a hole.
  const strict = use === 'outbox'
  const answers = await threads[use].run(items.map((item) => ({ ...item, strict })))
  return answers.map((answer) => ('texts' in answer ? answer.texts : new TemplateError(answer.error)))
}

/**
 * Parses texts in Liquid under the same limits.
 * @returns the first error and the index of its text; null when there is none
 */
export async function templateMistake(
  texts: string[],
): Promise<{ index: number; error: TemplateError } | null> {
  const [answer] = await threads.people.run([{ texts, variables: null }])
  if (!answer || 'texts' in answer) return null
  const { index, ...mistake } = answer.error
  return { index, error: new TemplateError(mistake) }
}

/** The variables that each text uses, as `first_name` or `first_name.size`; of a text that cannot be parsed, none. */
export async function templateVariables(texts: readonly string[]): Promise<string[][]> {
  const answers = await threads.people.run(texts.map((text) => ({ texts: [text], variables: null })))
  return answers.map((answer) =>
    'texts' in answer ? (answer.texts[0] ?? '').split(' ').filter(Boolean) : [],
  )
}

const RENDER_MS = 250
// In wall-clock time, for a machine that is too busy to run the thread.
const MAX_WALL_MS = 5000
const ATTEMPTS = 2
const IDLE_MS = 60_000
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
const ENDED: TemplateAnswer = {
  error: { code: 'template_too_slow', what: '', message: 'took too long', line: null, index: 0 },
}

/** The error of an item that ended the thread. */
interface Ended {
  culprit: number
}

/** Parses and renders Liquid in a thread of its own, one list after another. */
interface TemplateThread {
  /**
   * One answer per item, in order. An item that takes more than 250 ms or too much memory ends the thread. It is tried
   * once more in a new thread without leftovers of other items, and then fails, like other items with
   * the same texts.
   */
  run(items: TemplateItem[]): Promise<TemplateAnswer[]>
}

/** Starts with the first list, and ends after a minute without one. */
function createTemplateThread(): TemplateThread {
  let current: Thread | null = null
  let before: Promise<unknown> = Promise.resolve()

  async function answerAll(items: TemplateItem[]): Promise<TemplateAnswer[]> {
    const answers = new Map<number, TemplateAnswer>()
    const strikes = new Map<string, number>()
    const struck = (index: number) => strikes.get(JSON.stringify(items[index]?.texts)) ?? 0
    for (;;) {
      const left = items.flatMap((_, index) => (struck(index) < ATTEMPTS ? [index] : []))
      if (left.length === 0) break
      current ??= startThread((ended) => {
        if (current === ended) current = null
      })
      const result = await current.answer(left.flatMap((index) => items[index] ?? []))
      if (Array.isArray(result)) {
        for (const [place, index] of left.entries()) answers.set(index, result[place] ?? ENDED)
        break
      }
      const culprit = left[result.culprit] ?? -1
      strikes.set(JSON.stringify(items[culprit]?.texts), struck(culprit) + 1)
    }
    return items.map((_, index) => answers.get(index) ?? ENDED)
  }

  return {
    run(items) {
      const answers = before.then(() => answerAll(items))
      before = answers.catch(() => undefined)
      return answers
    },
  }
}

interface Thread {
  /** @throws when the thread does not start. */
  answer(items: TemplateItem[]): Promise<TemplateAnswer[] | Ended>
}

function startThread(onEnd: (thread: Thread) => void): Thread {
  const progress: Progress = {
    item: new Int32Array(new SharedArrayBuffer(4)).fill(-1),
    since: new Float64Array(new SharedArrayBuffer(16)),
  }
  // No environment: templates cannot reach secrets.
  const options = { workerData: { ...progress, gap: GAP }, env: {}, resourceLimits: MEMORY }
  const worker = new Worker(new URL('./template-worker.ts', import.meta.url), options)
  let waiting: PromiseWithResolvers<TemplateAnswer[] | Ended> | null = null
  const watch = setTimeout(() => void check(), RENDER_MS)
  const idle = setTimeout(() => end(null), IDLE_MS).unref()

  /** Measures the time the thread worked on the item, not the time a busy machine kept it waiting. */
  async function check(): Promise<void> {
    const [asked, began] = [waiting, progress.since[0] ?? 0]
    if (!asked) return
    const age = Number(process.hrtime.bigint() / 1_000_000n) - began
    const isOld = Atomics.load(progress.item, 0) >= 0 && age >= RENDER_MS
    const isOver = isOld && (age >= MAX_WALL_MS || (await worked(age)) >= RENDER_MS)
    if (waiting !== asked) return
    // The item may have ended while its time was read: its answer is on the way.
    const culprit = Atomics.load(progress.item, 0)
    if (isOver && culprit >= 0 && progress.since[0] === began) end(null, culprit)
    else watch.refresh()
  }

  /** Node before 24.6 does not report it; there the elapsed time is used. */
  async function worked(age: number): Promise<number> {
    if (!worker.cpuUsage || !process.threadCpuUsage) return age
    const usage = await worker.cpuUsage().catch(() => null)
    return usage ? (usage.user + usage.system) / 1000 - (progress.since[1] ?? 0) : age
  }

  function end(error: Error | null, culprit = Atomics.load(progress.item, 0)): void {
    const asked = waiting
    waiting = null
    clearTimeout(watch)
    clearTimeout(idle)
    onEnd(thread)
    void worker.terminate()
    if (culprit >= 0) asked?.resolve({ culprit })
    else asked?.reject(error ?? new Error('The thread of the templates ended'))
  }

  worker.on('error', end)
  worker.on('exit', () => end(null))
  worker.on('message', (answers: TemplateAnswer[]) => {
    const asked = waiting
    waiting = null
    // It keeps the process alive only while it works.
    worker.unref()
    idle.refresh()
    asked?.resolve(answers)
  })

  const thread: Thread = {
    answer(items) {
      const asked = Promise.withResolvers<TemplateAnswer[] | Ended>()
      waiting = asked
      worker.ref()
      watch.refresh()
      worker.postMessage(items)
      return asked.promise
    },
  }
  return thread
}

/** A message to be rendered. */
export interface Rendering {
  template: Template
  channel: Channel
  facts: Facts
  unsubscribeUrl?: string
  /** The link to the survey about the visit; only where the message is about one. */
  feedbackUrl?: string
  /** Marketing ends with the sender's name and postal address. */
  isMarketing: boolean
  /** The last line of a marketing SMS. */
  optOut?: OptOutLine
}

/**
 * Renders automations' templates, many at once, each in its guest's language, to plain text; an e-mail also to HTML, in the
 * brand's look.
 * @returns each message's content, or the error: of the outbox also EmptyMessage
 */
export async function renderMessages(
  use: TemplateUse,
  asked: Rendering[],
): Promise<(Content | TemplateError)[]> {
  const messages = asked.map((message) => ({ ...message, ...spoken(message.template, message.facts) }))
  const items = messages.map((message) => ({
    texts: textsOf(message),
    variables: variablesOf(message),
  }))
  const rendered = await renderTemplates(use, items)
  return Promise.all(
    messages.map((message, index) => {
      const texts = rendered[index] ?? []
      if (asked[index]?.template.versions === null) return new TemplateError({ message: 'not a version' })
      if (texts instanceof Error) return texts
      const whole = withoutHoles(message, texts)
      // A preview shows that it is empty.
      return use === 'outbox' && isEmpty(message, whole) ? new EmptyMessage() : contentOf(message, whole)
    }),
  )
}

/** A message's texts with gaps closed, those of one paragraph together; addresses only lose their marks. */
function withoutHoles(message: Rendering, texts: readonly string[]): string[] {
  const { email_design } = message.template
  const design = message.channel === 'email' && email_design ? designOf(email_design) : null
  if (!design) return texts.flatMap((text) => closeGaps([text]))
  const paragraphs = new Map<string, number[]>([['subject', [0]]])
  const whole = texts.map(withoutGaps)
  for (const [index, { path, isLink }] of textsOfDesign(design).entries()) {
    const paragraph = path.replace(/\.runs\.\d+\.text$/, '.runs')
    if (!isLink) paragraphs.set(paragraph, [...(paragraphs.get(paragraph) ?? []), index + 1])
  }
  for (const places of paragraphs.values())
    for (const [at, text] of closeGaps(places.map((place) => texts[place] ?? '')).entries())
      whole[places[at] ?? 0] = text
  return whole
}

/** Whether a message has no subject, or nothing to read or see. */
function isEmpty(message: Rendering, texts: readonly string[]): boolean {
  if (usesTwilioTemplate(message)) return false
  if (message.channel !== 'email') return isBlank(texts)
  const [subject = '', ...words] = texts
  if (isBlank([subject])) return true
  const design = message.template.email_design && designOf(message.template.email_design)
  if (!design) return isBlank(words)
  const read = textsOfDesign(design).map(({ path, isLink }) => !isLink && path !== 'preheader')
  return isBlank(words.filter((_, at) => read[at])) && imagesOfDesign(design).length === 0
}

const isBlank = (texts: readonly string[]) => texts.every((text) => text.trim() === '')

const usesTwilioTemplate = ({ template, channel }: Rendering) =>
  channel === 'whatsapp' && template.content_sid !== null

function textsOf(message: Rendering): string[] {
  const { subject, body, content_variables, question } = message.template
  if (usesTwilioTemplate(message)) return Object.values(content_variables)
  if (message.channel === 'email') return [subject ?? '', ...emailTexts(message.template)]
  return [question === null ? body : [body.trimEnd(), question].join('\n\n')]
}

function emailTexts({ body, email_design }: Template): string[] {
  const design = email_design && designOf(email_design)
  return design ? designTexts(design) : [body]
}

async function contentOf(message: Rendering & Spoken, texts: string[]): Promise<Content | TemplateError> {
  const { isMarketing, channel, optOut, unsubscribeUrl, language } = message
  const { content_sid, content_variables } = message.template
  if (content_sid !== null && usesTwilioTemplate(message)) {
    const names = Object.keys(content_variables)
    return {
      content_sid,
      content_variables: Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ''])),
    }
  }
  if (channel === 'email') return emailOf(message, texts)
  const [body = ''] = texts
  const line = isMarketing && channel === 'sms' && body.trim() !== '' ? (optOut?.(language) ?? null) : null
  return { body: withOptOut(body, line, unsubscribeUrl) }
}

async function emailOf(
  { template: { email_design, email_look }, facts, isMarketing, language }: Rendering & Spoken,
  [subject = '', ...texts]: string[],
): Promise<Content | TemplateError> {
  const look = lookOf(email_look)
  const from = senderOf(look)
  // A line break in a subject would start another header.
  const line = {
    subject: subject.replace(/[\s\p{Cc}]+/gu, ' ').trim(),
    ...(from ? { from } : {}),
    ...(language === GUEST_LANGUAGES[0] ? {} : { language }),
  }
  const sending: Sending = { look, organization: facts.organization_name, isMarketing, language }
  const design = email_design && designOf(email_design)
  if (email_design && !design) return new TemplateError({ message: 'not a design' })
  const content = design
    ? await designedContent(design, texts, sending)
    : await plainContent(texts[0] ?? '', sending)
  return content
    ? { ...line, ...content }
    : new TemplateError({ code: 'template_too_long', message: 'too long once rendered' })
}
