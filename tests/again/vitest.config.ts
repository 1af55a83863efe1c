import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base from '../../vitest.config'

// By the seed that `run.ts` prints: the same one gives the same order of the files, and of the tests in them.
class AnyOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = randomOf(this.ctx.config.sequence.seed)
    const order = new Map(
      files
        .toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1))
        .map((file) => [file, random()] as const),
    )
    // What shares a worker's process stays together, as in every run.
    const place = (file: TestSpecification) => (file.project.config.isolate ? 0 : 1) + (order.get(file) ?? 0)
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

/** Numbers from 0 to 1, always the same after a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The tests of `vitest.config.ts` in any order. */
export default mergeConfig(base, defineConfig({ test: { sequence: { sequencer: AnyOrder } } }))
