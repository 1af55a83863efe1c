import type { SendingCheck } from './schema'

/** An example for the API's documentation. */
export const exampleCheck: SendingCheck = {
  blocking: [{ code: 'unknown_variable', field: 'messages.0.subject' }],
  warnings: [
    { code: 'missing_name', count: 12 },
    { code: 'cost', parts: 1240, amount: 88.66 },
  ],
}
