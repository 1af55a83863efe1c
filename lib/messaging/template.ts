import 'server-only'
import { AssertionError, Liquid, LiquidError, type Template as Parsed } from 'liquidjs'

const PARSE_CHARACTERS = 20_000
const RENDER_MS = 100
const MEMORY = 1_000_000
const MAX_RENDERED = 50_000

const engine = new Liquid({
  // Templates are staff's own words: nothing is read from disk, and no object is looked into beyond what it has.
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: PARSE_CHARACTERS,
  renderLimit: RENDER_MS,
  memoryLimit: MEMORY,
})

/** A template that cannot be parsed or rendered; `line` counts from 1. */
export class TemplateError extends Error {
  constructor(
    message: string,
    readonly line: number | null,
  ) {
    super(message)
    this.name = 'TemplateError'
  }
}

/**
 * Parses a Liquid template.
 * @throws TemplateError with the line of the mistake.
 */
export function parseTemplate(text: string): Parsed[] {
  try {
    return engine.parse(text)
  } catch (error) {
    throw asTemplateError(error)
  }
}

/**
 * Renders a parsed template with the variables, within limits of time, memory and length.
 * @throws TemplateError when a limit is reached or a filter does not take its input.
 */
export function renderTemplate(template: Parsed[], variables: Record<string, unknown>): string {
  let text: string
  try {
    text = renderPatiently(template, variables)
  } catch (error) {
    throw asTemplateError(error)
  }
  if (text.length > MAX_RENDERED) throw new TemplateError('too long once rendered', null)
  // Postgres stores neither; a filter such as `slice` may cut a character in two.
  return text.toWellFormed().replaceAll('\0', '')
}

/** Twice, for the limit of time also runs out when the process was not given any. */
function renderPatiently(template: Parsed[], variables: Record<string, unknown>): string {
  try {
    return String(engine.renderSync(template, variables))
  } catch (error) {
    if (!isLimit(error)) throw error
    return String(engine.renderSync(template, variables))
  }
}

const isLimit = (error: unknown) => error instanceof Error && error.message.includes('limit exceeded')

function asTemplateError(error: unknown): TemplateError {
  // What runs out of time outside a tag comes without its place.
  if (error instanceof AssertionError) return new TemplateError(error.message, null)
  if (!LiquidError.is(error)) throw error
  const { message, token } = error
  const [line] = token?.getPosition?.() ?? [null]
  return new TemplateError((message.split(', line:')[0] ?? message).slice(0, 200), line ?? null)
}
