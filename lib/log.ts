import 'server-only'
import pino from 'pino'
import { env } from '@/lib/env'

let logger: pino.Logger | undefined

/** The process' logger: JSON lines on stdout. Fields that may hold a secret are censored. */
export function log(): pino.Logger {
  logger ??= pino({
    level: env().LOG_LEVEL,
    base: undefined,
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
