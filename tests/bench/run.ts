// `npm run bench -- [suite] [--no-fail]`: measures, prints a table, and exits 1 when a bound is missed.
import { parseArgs } from 'node:util'
import { type Figure, figureTable, isWithin } from './support/figures'

const suites: Record<string, () => Promise<Figure[]>> = {
  sync: async () => (await import('./sync/suite')).syncFigures(),
  imports: async () => (await import('./imports/suite')).importFigures(),
  messages: async () => (await import('./messages/suite')).messageFigures(),
  identity: async () => (await import('./identity/public/suite')).publicFigures(),
  'identity-spanish': async () => (await import('./identity/spanish/suite')).spanishFigures(),
  pages: async () => (await import('./pages/suite')).pageFigures(),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-fail': { type: 'boolean', default: false } },
})
const names = positionals.length > 0 ? positionals : Object.keys(suites)
const unknown = names.filter((name) => !Object.hasOwn(suites, name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. The suites are: ${Object.keys(suites).join(', ')}`)
  process.exit(2)
}

const figures: Figure[] = []
for (const name of names) figures.push(...((await suites[name]?.()) ?? []))
console.log(`\n${figureTable(figures)}`)
process.exit(figures.every(isWithin) || values['no-fail'] ? 0 : 1)
