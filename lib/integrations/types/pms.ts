import type { Registration } from './registration'

/** The reservation system. */
export const pms = {
  fields: {
    base_url: { kind: 'url', hint: 'pmsUrl' },
    api_key: { kind: 'secret', max: 1000, hint: 'pmsKey' },
    venue_id: { kind: 'text', max: 120, hint: 'venue' },
  },
  required: ['api_key', 'base_url'],
  boundTo: 'base_url',
  mark: { letter: 'P', color: '#2f6f62' },
} as const satisfies Registration
