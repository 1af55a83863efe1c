import 'server-only'
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { automationResults } from './automation-results'
import { findCustomers } from './find-customers'
import { inactiveRegulars } from './inactive-regulars'
import { reservationsOfDay } from './reservations-of-day'
import { revenueByLocation } from './revenue-by-location'
import type { Tool } from './tool'

const TOOLS = [findCustomers, reservationsOfDay, revenueByLocation, automationResults, inactiveRegulars]

/** The look-ups that the caller's role allows. */
export function toolsFor({ can }: Pick<Session, 'can'>): Tool[] {
  return TOOLS.filter(({ permission }) => can(permission))
}

/** A tool as the chat completions API describes it. */
export function declarationOf({ name, description, arguments: schema }: Tool): ChatCompletionFunctionTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' })
  return { type: 'function', function: { name, description, parameters } }
}
