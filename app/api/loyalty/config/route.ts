import { defineRoute } from '@/lib/http/define-route'
import { readConfig, writeConfig } from '@/lib/loyalty/config'
import { configSchema } from '@/lib/loyalty/schema'

export const GET = defineRoute({ auth: 'optional', handler: ({ session }) => readConfig(session) })

export const PUT = defineRoute({
  auth: 'session',
  roles: ['super_admin'],
  body: configSchema,
  failure: (message) => ({ error: message }),
  handler: ({ session, body }) => writeConfig(session, body),
})
