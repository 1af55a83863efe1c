import { defineRoute } from '@/lib/http/define-route'
import { otherMethods } from '@/lib/http/undeclared'
import { syncForPerson, syncForScheduler } from '@/lib/pms/sync/answers'
import { syncPaths } from '@/lib/pms/sync/operations'
import { sourceSchema } from '@/lib/pms/sync/schema'

export const maxDuration = 60

const byScheduler = defineRoute({ auth: 'cron', handler: syncForScheduler })

const byPerson = defineRoute({
  auth: 'session',
  body: sourceSchema,
  errors: syncPaths['/api/sync'].post.errors,
  handler: ({ session }) => syncForPerson(session),
})

/** An Authorization header makes it the scheduler's call; a cookie or a body a person's. */
export function POST(request: Request): Promise<Response> {
  const person = request.headers.has('cookie') || request.body !== null
  return request.headers.has('authorization') || !person ? byScheduler(request) : byPerson(request)
}

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods(syncPaths['/api/sync'])
