import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import { z } from 'zod'
import type { PublicRecord } from './datasets'
import type { Pair } from './groups'

const usedSchema = z.object({ seconds: z.number(), peak_mb: z.number(), grown_mb: z.number() })

/** The Python that IDENTITY_PYTHON names, or python3, if it has Splink; else null. */
export function pythonWithSplink(): string | null {
  const python = process.env.IDENTITY_PYTHON ?? 'python3'
  return spawnSync(python, ['-c', 'import splink, pyarrow']).status === 0 ? python : null
}

/** What Splink finds among the records, from probability 0.01 on, with the seconds and megabytes it took. */
export function splinkPairs(python: string, records: readonly PublicRecord[]) {
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-splink-'))
  try {
    const [input, output] = [join(directory, 'records.csv'), join(directory, 'pairs.csv')]
    writeFileSync(input, Papa.unparse(records.map(({ truth: _, ...record }) => record)))
    const script = new URL('splink_pairs.py', import.meta.url).pathname
    const answer = execFileSync(python, [script, input, output], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const used = usedSchema.parse(JSON.parse(answer.trim().split('\n').at(-1) ?? ''))
    const { data } = Papa.parse<string[]>(readFileSync(output, 'utf8'), { skipEmptyLines: true })
    const pairs = data
      .slice(1)
      .map(([one = '', other = '', probability]): Pair => ({ one, other, probability: Number(probability) }))
    return { pairs, ...used }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
