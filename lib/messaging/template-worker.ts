import { parentPort, workerData } from 'node:worker_threads'
import { Liquid, LiquidError, type Template as Parsed, Tokenizer } from 'liquidjs'

// Runs in a thread of its own (template-thread.ts), with no environment and little memory. It imports nothing of the app.

const PARSE_CHARACTERS = 20_000
const MEMORY = 1_000_000
const MAX_RENDERED = 50_000
const MAX_RANGE = 100

const TAGS = 'assign break capture case comment continue for if raw unless #'.split(' ')
// What text, numbers and dates need. Filters that take an expression (`where_exp`, `find_exp`) run it without a limit.
const FILTERS =
  `abs append at_least at_most capitalize ceil date default divided_by downcase first floor join last
  lstrip minus modulo plus prepend remove remove_first replace replace_first replace_last round rstrip size slice split
  strip strip_newlines times truncate truncatewords upcase url_encode`.split(/\s+/)

/** Texts with their variables; without variables they are only parsed. */
export interface TemplateItem {
  texts: string[]
  variables: Record<string, unknown> | null
}

/** What became of an item. `line` counts from 1; `index` is the text's. */
export type TemplateAnswer =
  | { texts: string[] }
  | { error: { message: string; line: number | null; index: number } }

/**
 * What both threads see: which item is being worked on (-1: none), and since when: milliseconds of process.hrtime, and
 * of the processor's time this thread had had by then.
 */
export interface Progress {
  item: Int32Array
  since: Float64Array
}

/** The engine; its lists of tags and filters hold what is allowed and nothing else. */
function createEngine(): Liquid {
  const engine = new Liquid({
    // Templates are staff's own words: nothing is read from disk, and no object is looked into beyond what it has.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: PARSE_CHARACTERS,
    memoryLimit: MEMORY,
  })
  for (const name of Object.keys(engine.tags)) if (!TAGS.includes(name)) delete engine.tags[name]
  for (const name of Object.keys(engine.filters)) if (!FILTERS.includes(name)) delete engine.filters[name]
  return engine
}

/** LiquidJS has no limit for ranges. They all are read here, in whatever tag or filter they stand. */
function boundRanges(): void {
  const read = Tokenizer.prototype.readGroupOrRange
  Tokenizer.prototype.readGroupOrRange = function readBounded(this: Tokenizer) {
    const token = read.call(this)
    if (token === undefined || !('lhs' in token)) return token
    const [low, high] = [token.lhs, token.rhs].map((bound) =>
      'content' in bound ? Number(bound.content) : Number.NaN,
    )
    const isShort = low !== undefined && high !== undefined && high - low < MAX_RANGE
    this.assert(
      isShort,
      () => `a range goes from a number to a number, ${MAX_RANGE} at most: ${token.getText()}`,
    )
    return token
  }
}

/** Parses each text once, and fails again at each use of what cannot be parsed. */
function createRenderer() {
  const engine = createEngine()
  const parsed = new Map<string, Parsed[]>()

  function parse(text: string): Parsed[] {
    const known = parsed.get(text) ?? engine.parse(text)
    parsed.set(text, known)
    return known
  }

  function render(template: Parsed[], variables: Record<string, unknown>): string {
    const text = String(engine.renderSync(template, variables))
    if (text.length > MAX_RENDERED) throw new TooLong('too long once rendered')
    // Postgres stores neither; a filter such as `slice` may cut a character in two.
    return text.toWellFormed().replaceAll('\0', '')
  }

  return ({ texts, variables }: TemplateItem): TemplateAnswer => {
    let index = 0
    try {
      const rendered: string[] = []
      for (; index < texts.length; index++) {
        const template = parse(texts[index] ?? '')
        rendered.push(variables ? render(template, variables) : '')
      }
      return { texts: rendered }
    } catch (error) {
      return { error: { ...mistakeOf(error), index } }
    }
  }
}

class TooLong extends Error {}

function mistakeOf(error: unknown): { message: string; line: number | null } {
  if (LiquidError.is(error)) {
    // What ran out of stack is named by where it ended, deep within LiquidJS.
    if (error.originalError instanceof RangeError) return mistakeOf(error.originalError)
    const [line] = error.token?.getPosition?.() ?? [null]
    return { message: (error.message.split(', line:')[0] ?? error.message).slice(0, 200), line: line ?? null }
  }
  if (error instanceof RangeError)
    return {
      message: error.message.includes('stack') ? 'nested too deeply' : 'too long once rendered',
      line: null,
    }
  return { message: error instanceof Error ? error.message.slice(0, 200) : 'cannot be rendered', line: null }
}

if (parentPort) {
  const port = parentPort
  const { item, since } = workerData as Progress
  boundRanges()
  port.on('message', (items: TemplateItem[]) => {
    const answer = createRenderer()
    const answers = items.map((each, index) => {
      since[0] = Number(process.hrtime.bigint() / 1_000_000n)
      const { user, system } = process.threadCpuUsage?.() ?? { user: 0, system: 0 }
      since[1] = (user + system) / 1000
      Atomics.store(item, 0, index)
      return answer(each)
    })
    Atomics.store(item, 0, -1)
    port.postMessage(answers)
  })
}
