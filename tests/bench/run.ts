// `npm run bench -- [suite] [--no-fail] [--size=100000]`: measures, prints a table, and exits 1 when a bound is missed.
import { parseArgs } from 'node:util'
import '../support/outside-next'
import { type Figure, figureTable, isWithin } from './support/figures'

const suites: Record<string, (options: { size?: number }) => Promise<Figure[]>> = {
  sync: async () => (await import('./sync/suite')).syncFigures(),
  imports: async () => (await import('./imports/suite')).importFigures(),
  messages: async () => (await import('./messages/suite')).messageFigures(),
  segments: async () => (await import('./segments/suite')).segmentFigures(),
  identity: async () => (await import('./identity/public/suite')).publicFigures(),
  'identity-spanish': async () => (await import('./identity/spanish/suite')).spanishFigures(),
  rhythm: async () => (await import('./rhythm/suite')).rhythmFigures(),
  'rhythm-million': async (options) => (await import('./rhythm/million')).rhythmMillionFigures(options),
  'identity-million': async (options) => (await import('./identity/million/suite')).millionFigures(options),
  lift: async (options) => {
    return (await import('./lift/suite')).liftFigures(options)
  },
  guards: async () => {
    return (await import('./guards/suite')).guardFigures()
  },
  'no-show': async () => (await import('./no-show/suite')).noShowFigures(),
  master: async () => (await import('./host/master')).masterFigures(),
  downloads: async () => (await import('./host/downloads')).downloadFigures(),
  host: async () => (await import('./host/suite')).hostFigures(),
  pages: async () => (await import('./pages/suite')).pageFigures(),
  plans: async () => (await import('./scale/plans')).planFigures(),
  scale: async () => {
    return (await import('./scale/suite')).scaleFigures()
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-fail': { type: 'boolean', default: false }, size: { type: 'string' } },
})
const names = positionals.length > 0 ? positionals : Object.keys(suites)
const unknown = names.filter((name) => !Object.hasOwn(suites, name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. The suites are: ${Object.keys(suites).join(', ')}`)
  process.exit(2)
}

const options = values.size === undefined ? {} : { size: Number(values.size) }
const figures: Figure[] = []
for (const name of names) figures.push(...((await suites[name]?.(options)) ?? []))
console.log(`\n${figureTable(figures)}`)
process.exit(figures.every(isWithin) || values['no-fail'] ? 0 : 1)
