import type { Provider } from './provider'

/** Accepts everything and sends it nowhere; the message itself, with its frozen content, is the record. */
export const sandbox: Provider = {
  name: 'sandbox',
  send: async (batch) => batch.map(({ id }) => ({ kind: 'accepted', providerId: `sandbox-${id}` })),
}
