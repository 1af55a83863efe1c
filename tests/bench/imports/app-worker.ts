// The app's side: the handlers behind a real HTTP server, in a process of its own.
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { POST as importCsv } from '@/app/api/admin/import-csv/route'
import { POST as signIn } from '@/app/api/auth/sign-in/route'
import { answerQuestions } from '../support/worker'

/** Where it listens, or its peak resident memory so far, in MB. */
export type AppQuestion = { ask: 'port' } | { ask: 'peak' }

const server = serve({
  fetch: (request) => (new URL(request.url).pathname === '/api/auth/sign-in' ? signIn : importCsv)(request),
  hostname: '127.0.0.1',
  port: 0,
  overrideGlobalObjects: false,
})
const listening = new Promise<void>((resolve) => server.once('listening', resolve))

answerQuestions(async ({ ask }: AppQuestion): Promise<number> => {
  await listening
  return ask === 'port' ? (server.address() as AddressInfo).port : process.resourceUsage().maxRSS / 1024
})
