// `npm run nightly [-- parts]`: what proves most and takes long, one after the other; a failure stops none of the others.
// Each log is in .nightly/<part>.log; ends with a table, and exits 1 when a part failed. `-- --list` names the parts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { chooseParts, type Part } from './parts'
import { runInGroup } from './process-group'

const LOGS = '.nightly'

interface Row {
  part: string
  did: string
  seconds: number
  outcome: string
}

const names = process.argv.slice(2)
if (names.includes('--list')) {
  for (const { name, minutes, command } of chooseParts([]))
    console.log(`${name} (at most ${minutes} min): ${command}`)
  process.exit(0)
}
const parts = chooseParts(names)
mkdirSync(LOGS, { recursive: true })
const rows: Row[] = []
for (const part of parts) {
  console.log(`${new Date().toISOString()} ${part.name}: ${part.command}`)
  rows.push(await play(part))
  const { did, seconds, outcome } = rows.at(-1) as Row
  console.log(`  ${outcome}, ${seconds} s: ${did}`)
}
const table = [
  '| part | what it did | seconds | outcome |',
  '|---|---|---:|---|',
  ...rows.map(({ part, did, seconds, outcome }) => `| ${part} | ${did} | ${seconds} | ${outcome} |`),
].join('\n')
writeFileSync(`${LOGS}/summary.md`, `${table}\n`)
console.log(`\n${table}`)
process.exit(rows.every(({ outcome }) => outcome === 'passed') ? 0 : 1)

async function play({ name, command, minutes, counts, missing }: Part): Promise<Row> {
  const lack = missing?.()
  if (lack) return { part: name, did: '–', seconds: 0, outcome: `failed: ${lack}` }
  const log = `${LOGS}/${name}.log`
  const began = Date.now()
  const end = await runInGroup(command, log, AbortSignal.timeout(minutes * 60_000))
  const lines = stripVTControlCharacters(readFileSync(log, 'utf8')).split('\n')
  return {
    part: name,
    did: counts(lines) || '–',
    seconds: Math.round((Date.now() - began) / 1000),
    outcome:
      end === 0 ? 'passed' : end === 'late' ? `failed: ended after ${minutes} min` : `failed: exit ${end}`,
  }
}
