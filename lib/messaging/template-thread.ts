import 'server-only'
import { Worker } from 'node:worker_threads'
import type { Progress, TemplateAnswer, TemplateItem } from './template-worker'

const RENDER_MS = 250
// However little of the processor a machine gives it.
const PATIENCE_MS = 5000
const ATTEMPTS = 2
const IDLE_MS = 60_000
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
const ENDED: TemplateAnswer = { error: { message: 'took too long', line: null, index: 0 } }

/** What an item that ended the thread was. */
interface Ended {
  culprit: number
}

/** Parses and renders Liquid in a thread of its own, one list after another. */
export interface TemplateThread {
  /**
   * One answer an item, in order. An item that works longer than 250 ms, or more memory than there is, ends the thread;
   * it is tried once more in a new one, where nothing was left by others, and then given up, as are
   * the others with the same texts.
   */
  run(items: TemplateItem[]): Promise<TemplateAnswer[]>
}

/** Begins with the first list, and ends once a minute has passed without any. */
export function createTemplateThread(): TemplateThread {
  let current: Thread | null = null
  let before: Promise<unknown> = Promise.resolve()

  async function answerAll(items: TemplateItem[]): Promise<TemplateAnswer[]> {
    const answers = new Map<number, TemplateAnswer>()
    const strikes = new Map<string, number>()
    const struck = (index: number) => strikes.get(JSON.stringify(items[index]?.texts)) ?? 0
    for (;;) {
      const left = items.flatMap((_, index) => (struck(index) < ATTEMPTS ? [index] : []))
      if (left.length === 0) break
      current ??= startThread(() => {
        current = null
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

function startThread(onEnd: () => void): Thread {
  const progress: Progress = {
    item: new Int32Array(new SharedArrayBuffer(4)).fill(-1),
    since: new Float64Array(new SharedArrayBuffer(16)),
  }
  // No environment: no secret is within reach of a template.
  const options = { workerData: progress, env: {}, resourceLimits: MEMORY }
  const worker = new Worker(new URL('./template-worker.ts', import.meta.url), options)
  let waiting: PromiseWithResolvers<TemplateAnswer[] | Ended> | null = null
  const watch = setTimeout(() => void check(), RENDER_MS)
  const idle = setTimeout(() => end(null), IDLE_MS).unref()

  /** What counts is the time the thread has worked on the item, not how long a busy machine kept it waiting. */
  async function check(): Promise<void> {
    const [asked, began] = [waiting, progress.since[0] ?? 0]
    if (!asked) return
    const age = Number(process.hrtime.bigint() / 1_000_000n) - began
    const isOld = Atomics.load(progress.item, 0) >= 0 && age >= RENDER_MS
    const isOver = isOld && (age >= PATIENCE_MS || (await worked(age)) >= RENDER_MS)
    if (waiting !== asked) return
    if (isOver && progress.since[0] === began) end(null)
    else watch.refresh()
  }

  /** Node before 24.6 does not say; there it is the time that has passed. */
  async function worked(age: number): Promise<number> {
    if (!worker.cpuUsage || !process.threadCpuUsage) return age
    const usage = await worker.cpuUsage().catch(() => null)
    return usage ? (usage.user + usage.system) / 1000 - (progress.since[1] ?? 0) : age
  }

  function end(error: Error | null): void {
    const asked = waiting
    waiting = null
    clearTimeout(watch)
    clearTimeout(idle)
    onEnd()
    void worker.terminate()
    const culprit = Atomics.load(progress.item, 0)
    if (culprit >= 0) asked?.resolve({ culprit })
    else asked?.reject(error ?? new Error('The thread of the templates ended'))
  }

  worker.on('error', end)
  worker.on('exit', () => end(null))
  worker.on('message', (answers: TemplateAnswer[]) => {
    const asked = waiting
    waiting = null
    // Only while it works does it keep the process alive.
    worker.unref()
    idle.refresh()
    asked?.resolve(answers)
  })

  return {
    answer(items) {
      const asked = Promise.withResolvers<TemplateAnswer[] | Ended>()
      waiting = asked
      worker.ref()
      watch.refresh()
      worker.postMessage(items)
      return asked.promise
    },
  }
}
