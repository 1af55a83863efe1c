import 'server-only'
import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import { z } from 'zod'
import { asData } from '@/lib/assistant/prompt'
import type { ToolCall } from '@/lib/assistant/turn'
import type { Session } from '@/lib/auth/session'
import { DatabaseError } from '@/lib/db/errors'
import { parseJson } from '@/lib/http/json'
import { log } from '@/lib/log'
import { automationResults } from './automation-results'
import { campaigns } from './campaigns'
import { findCustomers, inactiveRegulars } from './customers'
import { draftCampaign } from './draft-campaign'
import { recentFeedback } from './feedback'
import { reservationsOfDay, revenueByLocation } from './reservations'
import { segments } from './segments'
import { type Found, type LookUp, type Tool, ToolError } from './tool'

const TOOLS = [
  findCustomers,
  reservationsOfDay,
  revenueByLocation,
  automationResults,
  campaigns,
  segments,
  inactiveRegulars,
  recentFeedback,
  draftCampaign,
]

/** The tools that the caller's role allows. */
export function toolsFor({ can }: Pick<Session, 'can'>): Tool[] {
  return TOOLS.filter(({ permission }) => can(permission))
}

/** A tool as the chat completions API describes it. */
export function declarationOf({ name, description, arguments: schema }: Tool): ChatCompletionFunctionTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' })
  return { type: 'function', function: { name, description, parameters } }
}

/** For one reply, over all its rounds. */
const MAX_ROWS = 200
const MAX_CALLS = 8

/** What a reply has looked up so far. */
export interface Ledger {
  rows: number
  found: Found[]
  /** The tools that have made something. */
  made: Set<string>
}

/**
 * Runs the look-ups of one round in turn and returns their results for the model. Bad arguments, failures and an
 * exhausted budget are reported to the model in its result; they never fail the reply.
 */
export async function runCalls(
  calls: ToolCall[],
  tools: readonly Tool[],
  session: Session,
  { ledger, now }: { ledger: Ledger; now: Date },
): Promise<ChatCompletionMessageParam[]> {
  const results: ChatCompletionMessageParam[] = []
  for (const [position, call] of calls.entries()) {
    const content =
      position < MAX_CALLS
        ? await resultOf(call, tools, session, ledger, now)
        : 'Error: too many calls at once'
    results.push({ role: 'tool', tool_call_id: call.id, content })
  }
  return results
}

async function resultOf(call: ToolCall, tools: readonly Tool[], session: Session, ledger: Ledger, now: Date) {
  const limit = MAX_ROWS - ledger.rows
  if (limit <= 0) return 'Error: no more rows may be read for this reply; answer with what you have'
  try {
    const result = await lookUp(call, tools, session, { limit, now, made: ledger.made })
    ledger.rows += result.rows.length
    ledger.found.push(...result.found)
    return asData({
      rows: result.rows,
      ...(result.more ? { more: 'there are more rows than these' } : {}),
      ...(result.noData?.length ? { no_data: result.noData } : {}),
    })
  } catch (error) {
    if (error instanceof ToolError) return `Error: ${error.message}`
    const code = error instanceof DatabaseError ? error.code : undefined
    log().warn({ tool: call.name.slice(0, 64), code, name: (error as Error).name }, 'a look-up failed')
    return 'Error: the look-up failed'
  }
}

async function lookUp(
  { name, arguments: text }: ToolCall,
  tools: readonly Tool[],
  session: Session,
  { made, ...options }: { limit: number; now: Date; made: Set<string> },
): Promise<LookUp> {
  const tool = tools.find((candidate) => candidate.name === name)
  if (!tool) throw new ToolError('there is no such tool')
  if (tool.once && made.has(name)) throw new ToolError('done before in this reply; once is enough')
  const parsed = tool.arguments.safeParse(jsonOf(text))
  if (parsed.success) {
    const result = await tool.run(session, parsed.data, options)
    if (tool.once) made.add(name)
    return result
  }
  const [issue] = parsed.error.issues
  throw new ToolError(`bad arguments: ${issue?.path.join('.') || 'arguments'}: ${issue?.message}`)
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text || '{}')
  } catch {
    throw new ToolError('bad arguments: not JSON')
  }
}
