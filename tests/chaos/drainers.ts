import { startWorker, type Worker } from '../bench/support/worker'
import type { DrainQuestion } from './drain-worker'

/** A drain process. */
export interface Drainer {
  name: string
  worker: Worker<DrainQuestion, 'drained'>
  killed: boolean
}

/** Drain processes: used again until they are killed, with new ones starting meanwhile. */
export interface Drainers {
  take: (count: number) => Drainer[]
  /** For those that are still alive. */
  giveBack: (drainers: Drainer[]) => void
  close: () => void
}

const SPARE = 3

/** @param env the app's settings */
export function createDrainers(env: Record<string, string>): Drainers {
  let count = 0
  const idle: Drainer[] = []
  const started = new Set<Drainer>()
  const start = (): Drainer => {
    const worker: Drainer['worker'] = startWorker(new URL('./drain-worker.ts', import.meta.url), env)
    const drainer = { name: `d${++count}`, worker, killed: false }
    started.add(drainer)
    return drainer
  }
  // One that is stopped would not notice that this process is gone.
  process.once('exit', () => started.forEach(kill))
  return {
    take: (wanted) => {
      const taken = idle.splice(0, wanted)
      while (taken.length < wanted) taken.push(start())
      while (idle.length < SPARE) idle.push(start())
      return taken
    },
    giveBack: (drainers) => idle.unshift(...drainers.filter(({ killed }) => !killed)),
    close: () => started.forEach(kill),
  }
}

/** Kills a drainer where it stands. */
export function kill(drainer: Drainer): void {
  drainer.killed = true
  drainer.worker.signal('KILL')
}
