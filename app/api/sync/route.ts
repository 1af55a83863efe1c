import { sourceSchema, syncPaths } from '@/lib/pms/operations'
import { syncForPerson, syncForScheduler } from '@/lib/pms/sync'
import { sendPushSoon } from '@/lib/push/send'
import { defineRoute } from '@/lib/routes/define-route'
import { otherMethods } from '@/lib/routes/other-methods'

export const maxDuration = 60

const byScheduler = defineRoute({
  auth: 'cron',
  contract: true,
  handler: () => syncForScheduler().finally(sendPushSoon),
})

const byPerson = defineRoute({
  auth: 'session',
  contract: true,
  body: sourceSchema,
  errors: syncPaths['/api/sync'].post.errors,
  handler: ({ session }) => syncForPerson(session).finally(sendPushSoon),
})

/**
 * A request with an Authorization header comes from the scheduler; one with a cookie or a body comes from a person.
 */
export function POST(request: Request): Promise<Response> {
  const person = request.headers.has('cookie') || request.body !== null
  return request.headers.has('authorization') || !person ? byScheduler(request) : byPerson(request)
}

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(syncPaths['/api/sync'])
