import { NORTE, type Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'
import { NOON } from '../fill'

const STRANGER: Who[] = ['stranger']
/** Without the right to read customers. */
const IN_THE_DARK: Who[] = ['rrhh', 'pr_comunicacion', 'sala']
const NOWHERE = '00000000-0000-4000-8000-000000000000'
const as = (answer: unknown) => answer

export const conversationTables: Record<string, TableCase> = {
  // The group's, as what else is the guest's own: people bound to a location read them all.
  conversations: {
    keys: ['address'],
    reads: reads([NORTE, ['+34600000001', '+34600000008']], [IN_THE_DARK, []], [STRANGER, ['+34600000003']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      ...{ channel: 'whatsapp', address: '+34600000077', last_message_at: NOON, last_inbound_at: NOON },
    }),
    change: () => ({ unread: 0 }),
  },
  conversation_messages: {
    keys: ['text'],
    reads: reads(
      [NORTE, ['Hola desde +34600000001', 'Hola desde +34600000008']],
      [IN_THE_DARK, []],
      [STRANGER, ['Hola desde +34600000003']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      conversation_id: ids[`${home} conversation`],
      ...{ direction: 'in', text: 'Otra', provider_id: 'SM77', at: NOON },
    }),
    change: () => ({ text: 'Nunca lo dije' }),
  },
}

export const conversationFunctions: Record<string, FunctionCase> = {
  list_conversations: {
    body: () => ({}),
    shape: (answer) => (answer as { last_text: string }[]).map(({ last_text }) => last_text).sort(),
    answers: answers<unknown>(
      [],
      [NORTE, ['Hola desde +34600000001', 'Hola desde +34600000008']],
      [IN_THE_DARK, []],
      [STRANGER, ['Hola desde +34600000003']],
    ),
  },
  conversation: {
    body: ({ ids }) => ({ p_id: ids['Norte conversation'], p_channels: [], p_now: NOON }),
    shape: (answer) => (answer as { address: string } | null)?.address ?? null,
    answers: answers<unknown>(null, [NORTE, '+34600000001'], [IN_THE_DARK, null], [STRANGER, null]),
  },
  mark_conversation_read: {
    body: ({ ids }) => ({ p_id: ids['Norte conversation'] }),
    shape: as,
    answers: answers<unknown>(false, [NORTE, true], [IN_THE_DARK, false], [STRANGER, false]),
  },
  // What they do is in tests/api/conversations.test.ts.
  reply_to_conversation: {
    body: () => ({ p_id: NOWHERE, p_text: 'Hola', p_channels: ['sms'], p_now: NOON }),
    shape: as,
    answers: answers<unknown>({ outcome: 'not_found' }),
  },
  take_text: {
    body: ({ ids }) => ({
      p_organization: ids.Norte,
      p_text: {
        id: `SM${'2'.repeat(32)}`,
        channel: 'sms',
        phone: '+34600000009',
        text: 'Hola',
        full: 'Hola',
      },
      p_words: {},
    }),
    shape: as,
    answers: serviceOnly(),
  },
}
