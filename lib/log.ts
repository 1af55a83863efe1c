import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import pino from 'pino'
import { env } from '@/lib/env'

const requests = new AsyncLocalStorage<{ requestId: string; user?: string }>()
let logger: pino.Logger | undefined

// Invalid settings have to be logged too.
function level(): string {
  try {
    return env().LOG_LEVEL
  } catch {
    return 'info'
  }
}

/** Runs the work of a request: each line it logs has the request's id, and who asks once that is known. */
export function logFor<T>(requestId: string, work: () => T): T {
  return requests.run({ requestId }, work)
}

/** Says who asks, for the lines that the current request still logs. */
export function logUser(id: string): void {
  const request = requests.getStore()
  if (request) request.user = id
}

/** The process' logger: JSON lines on stdout. Fields that may contain a secret are censored. */
export function log(): pino.Logger {
  logger ??= pino({
    level: level(),
    base: undefined,
    mixin: () => ({ ...requests.getStore() }),
    redact: {
      paths: [
        '*.api_key',
        '*.apiKey',
        '*.authorization',
        '*.cookie',
        '*.password',
        '*.url',
        'url',
        'authorization',
      ],
      censor: '[redacted]',
    },
  })
  return logger
}
