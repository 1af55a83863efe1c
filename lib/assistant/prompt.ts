import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { asData } from './as-data'
import type { AssistantContext } from './context'
import { HISTORY_LENGTH } from './limits'
import type { Chat } from './schema'
import { SYSTEM_PROMPT } from './system-prompt'

/** What opens a conversation: system prompt, context block, the end of the history, the message. */
export function openingMessages(
  context: AssistantContext,
  { message, history }: Chat,
): ChatCompletionMessageParam[] {
  return [
    { role: 'system', content: SYSTEM_PROMPT },
    { role: 'system', content: contextBlock(context) },
    ...history.slice(-HISTORY_LENGTH).map(({ role, content }) => ({ role, content })),
    { role: 'user', content: message },
  ]
}

/** The context as the model reads it. */
export function contextBlock(context: AssistantContext): string {
  return `Contexto actual: fecha y hora (now), locales, reservas de hoy (today), próximas reservas (upcoming), clientes por nivel (customers), la semana (week) y clientes VIP sin visita en 3 meses o más (inactive_vips).\n${asData(context)}`
}
