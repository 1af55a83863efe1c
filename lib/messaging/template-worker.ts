import { parentPort, workerData } from 'node:worker_threads'
import {
  Context,
  type Emitter,
  Liquid,
  LiquidError,
  type Template as Parsed,
  type TagToken,
  TokenizationError,
  Tokenizer,
  type TopLevelToken,
  TypeGuards,
  UndefinedVariableError,
} from 'liquidjs'
import type { IssueCode } from '@/lib/http/error-codes'

// Runs in a thread of its own (template.ts), with no environment and little memory. It imports only types of the app.

/** Stands where an output is empty (gaps.ts). */
const gap = (workerData as { gap: string } | null)?.gap ?? ''

const MAX_CHARACTERS = 20_000
const MAX_MEMORY = 1_000_000
const MAX_RENDERED = 50_000
const MAX_RANGE = 100
const MAX_EXCERPT = 100

const TAGS = 'assign break continue # capture case comment for if raw unless'.split(' ')
/** The tags of TAGS that need an end tag. */
const BLOCKS = ['capture', 'case', 'comment', 'for', 'if', 'raw', 'unless']
// Filters for text, numbers and dates. Not those with an expression (`where_exp`, `find_exp`): they run it without a
// limit.
const FILTERS =
  `abs append at_least at_most capitalize ceil date default divided_by downcase first floor join last
  lstrip minus modulo plus prepend remove remove_first replace replace_first replace_last round rstrip size slice split
  strip strip_newlines times truncate truncatewords upcase url_encode`.split(/\s+/)

/** Texts with their variables; without variables they are only parsed. `strict`: an unknown variable is an error, not empty. */
export interface TemplateItem {
  texts: string[]
  variables: Record<string, unknown> | null
  strict?: boolean
}

/** An error in a template. */
export interface Mistake {
  code: Extract<IssueCode, `template_${string}`>
  /** The tag, filter, range or excerpt with the error; empty for the whole text. */
  what: string
  /** In English. */
  message: string
  /** Counts from 1. */
  line: number | null
}

/**
 * The result of an item: its texts with `gap` where an output is empty; of one that is only parsed, the variables of
 * each text, separated by spaces. `index` is the index of the text with the error.
 */
export type TemplateAnswer = { texts: string[] } | { error: Mistake & { index: number } }

/**
 * Memory shared by both threads: the current item (-1: none) and its start, in milliseconds of process.hrtime and of
 * this thread's processor time.
 */
export interface Progress {
  item: Int32Array
  since: Float64Array
}

/** Thrown by our own checks within LiquidJS, which wraps it in an error with the line. */
class Refused extends Error {
  readonly code: Mistake['code']
  readonly what: string

  constructor(code: Mistake['code'], what: string, message: string) {
    super(message)
    this.code = code
    this.what = what
  }
}

/** Parses each text once; an invalid text fails again at each use. */
function createRenderer() {
  const engine = createEngine()
  const parsed = new Map<string, Parsed[]>()

  function parse(text: string): Parsed[] {
    if (text.length > MAX_CHARACTERS) throw new Refused('template_too_long', '', 'template too long')
    const known = parsed.get(text) ?? engine.parse(text)
    parsed.set(text, known)
    return known
  }

  function render(template: Parsed[], variables: Record<string, unknown>, strict: boolean): string {
    const text = String(engine.renderSync(template, contextOf(engine, variables, strict)))
    if (text.length > MAX_RENDERED) throw new Refused('template_too_long', '', 'too long once rendered')
    // Postgres stores neither; a filter such as `slice` may cut a character in two.
    return text.toWellFormed().replaceAll('\0', '')
  }

  return ({ texts, variables, strict = false }: TemplateItem): TemplateAnswer => {
    const rendered: string[] = []
    for (const [index, text] of texts.entries()) {
      let template: Parsed[]
      try {
        template = parse(text)
      } catch (error) {
        return { error: { ...(parseMistake(error) ?? mistakeOf(error)), index } }
      }
      try {
        rendered.push(
          variables
            ? render(template, variables, strict)
            : engine.globalFullVariablesSync(template).join(' '),
        )
      } catch (error) {
        return { error: { ...mistakeOf(error), index } }
      }
    }
    return { texts: rendered }
  }
}

/** The engine; it has the allowed tags and filters and no others. */
function createEngine(): Liquid {
  const engine = new Liquid({
    // No template is read from disk, and only own properties of objects are accessible.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    outputEscape: (value: unknown) =>
      (value === null || value === undefined || value === '' ? gap : value) as string,
  })
  const tags = Object.fromEntries(TAGS.map((name) => [name, engine.tags[name] as TagClass]))
  tags.capture = unmarked(tags.capture as TagClass)
  for (const name of BLOCKS) tags[name] = closing(name, tags[name] as TagClass)
  const filters = Object.fromEntries(FILTERS.map((name) => [name, engine.filters[name]]))
  return Object.assign(engine, {
    tags: allowed(tags, (name) => new Refused('template_unknown_tag', name, `tag "${name}" not found`)),
    filters: allowed(
      filters,
      (name) => new Refused('template_unknown_filter', name, `undefined filter: ${name}`),
    ),
  })
}

/** A record that throws for unknown names. */
function allowed<T extends object>(record: T, refusal: (name: string) => Refused): T {
  return new Proxy(record, {
    get(target, name) {
      if (!Object.hasOwn(target, name)) throw refusal(String(name))
      return Reflect.get(target, name)
    },
  })
}

type TagClass = Liquid['tags'][string]

/** The tag that captures a text, without the marks of empty outputs: the text may be compared, or shown in its turn. */
function unmarked(capture: TagClass): TagClass {
  return class extends capture {
    override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      yield* capture.prototype.render.call(this, context, emitter) as Generator<unknown, void, unknown>
      const scope = context.bottom() as Record<string, unknown>
      const { variable } = this as unknown as { variable: string }
      const text = String(scope[variable] ?? '')
      // Nested captures double the text, and replaceAll makes a copy of it: its length counts before.
      context.memoryLimit.use(text.length)
      scope[variable] = text.replaceAll(gap, '')
    }
  }
}

/** A block tag that reports a missing end tag: it has then consumed the rest of the template. */
function closing(name: string, block: TagClass): TagClass {
  return new Proxy(block, {
    construct(target, parameters: [TagToken, TopLevelToken[]]) {
      const [, rest] = parameters
      try {
        return Reflect.construct(target, parameters)
      } catch (error) {
        // LiquidJS throws a bare Error for it, and more specific ones for errors inside the block.
        if (rest.length > 0 || (error as Error).constructor !== Error) throw error
        throw new Refused('template_tag_open', name, `tag "${name}" not closed`)
      }
    },
  })
}

/** LiquidJS has no limit for ranges. All ranges, in any tag or filter, are read here. */
function boundRanges(): void {
  const read = Tokenizer.prototype.readGroupOrRange
  Tokenizer.prototype.readGroupOrRange = function readBounded(this: Tokenizer) {
    const token = read.call(this)
    if (token === undefined || !('lhs' in token)) return token
    const [low, high] = [token.lhs, token.rhs].map((bound) =>
      'content' in bound ? Number(bound.content) : Number.NaN,
    )
    if (low !== undefined && high !== undefined && high - low < MAX_RANGE) return token
    const text = token.getText()
    const rule = `a range goes from a number to a number, ${MAX_RANGE} at most`
    throw new Refused('template_range', text.slice(0, MAX_EXCERPT), `${rule}: ${text}`)
  }
}

/** Variables, and a limit of the memory that they and the template may allocate together. */
function contextOf(engine: Liquid, variables: Record<string, unknown>, strictVariables: boolean): Context {
  let used = 0
  const check = (count: number) => {
    if (count > MAX_MEMORY) throw new Refused('template_too_slow', '', 'memory alloc limit exceeded')
  }
  const use = (count: number) => {
    if (!(Number(count) > 0)) return
    used += Number(count)
    check(used)
  }
  const memoryLimit = { use, check } as Context['memoryLimit']
  return new Context(
    variables,
    engine.options,
    { sync: true, strictVariables },
    { memoryLimit, liquid: engine },
  )
}

/** The error of a failure that occurs only in parsing; null for others. */
function parseMistake(error: unknown): Mistake | null {
  const cause = causeOf(error)
  if (cause instanceof RangeError)
    // The place of a stack overflow, deep within LiquidJS, has no relation to the text.
    return { code: 'template_too_deep', what: '', message: 'nested too deeply', line: null }
  if (!(cause instanceof TokenizationError) || TypeGuards.isTagToken(cause.token)) return null
  const { input, begin, end } = cause.token
  const line = lineOf(cause)
  const rest = excerpt(cause.token.getText())
  // An unclosed tag extends to the end of the template.
  const isOpen = end === input.length
  const raw = isOpen && /\{%-?\s*raw\s*-?%\}$/.test(input.slice(0, begin))
  if (raw) return { code: 'template_tag_open', what: 'raw', message: 'tag "raw" not closed', line }
  if (isOpen && input.startsWith('{{', begin))
    return { code: 'template_output_open', what: '', message: `output "${rest}" not closed`, line }
  if (isOpen && input.startsWith('{%', begin)) {
    const name = /^\{%-?\s*([\w#]*)/.exec(rest)?.[1] || '{%'
    return { code: 'template_tag_open', what: name, message: `tag "${name}" not closed`, line }
  }
  return { code: 'template_value', what: rest, message: `invalid value expression: ${rest}`, line }
}

function mistakeOf(error: unknown): Mistake {
  const cause = causeOf(error)
  const line = LiquidError.is(error) ? lineOf(error) : null
  if (cause instanceof Refused) return { code: cause.code, what: cause.what, message: cause.message, line }
  const what = LiquidError.is(error) ? excerpt(error.token?.getText?.() ?? '') : ''
  if (error instanceof UndefinedVariableError)
    return { code: 'template_unknown_variable', what, message: `unknown variable: ${what}`, line }
  const message = cause instanceof Error ? cause.message.slice(0, 200) : 'cannot be rendered'
  return { code: 'template_invalid', what, message, line }
}

/** The error that LiquidJS has wrapped, else the error itself. */
const causeOf = (error: unknown): unknown => (LiquidError.is(error) ? (error.originalError ?? error) : error)

const lineOf = (error: LiquidError): number | null => error.token?.getPosition?.()[0] ?? null

const excerpt = (text: string): string => text.slice(0, MAX_EXCERPT).trim()

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
