import { defineRoute } from '@/lib/http/define-route'
import { saveRules } from '@/lib/loyalty/save-rules'
import { rulesSchema } from '@/lib/loyalty/schema'

export const POST = defineRoute({
  auth: 'session',
  body: rulesSchema,
  errors: { unauthorized: 'No autorizado', invalid: 'Datos incompletos' },
  failure: (message) => ({ error: message }),
  handler: ({ session, body }) => saveRules(session, body),
})
