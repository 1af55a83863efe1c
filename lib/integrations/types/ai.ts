import type { Registration } from './registration'

/** The assistant's language model: OpenAI, or a service that answers like it. */
export const ai = {
  fields: {
    api_key: { kind: 'secret', max: 1000, hint: 'aiKey' },
    model: { kind: 'text', max: 120, hint: 'model', advanced: true },
    temperature: {
      kind: 'number',
      min: 0,
      max: 2,
      hint: 'temperature',
      problem: 'temperature',
      advanced: true,
    },
    max_tokens: {
      kind: 'number',
      min: 1,
      max: 32_000,
      whole: true,
      hint: 'maxTokens',
      problem: 'maxTokens',
      advanced: true,
    },
    base_url: { kind: 'url', hint: 'aiUrl', advanced: true },
  },
  required: ['api_key'],
  boundTo: 'base_url',
  mark: { letter: 'A', color: '#6b4fa0' },
} as const satisfies Registration
