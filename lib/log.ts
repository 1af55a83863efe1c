import 'server-only'
import pino from 'pino'
import { env } from '@/lib/env'

let logger: pino.Logger | undefined

// What is wrong with the settings has to be logged as well.
function level(): string {
  try {
    return env().LOG_LEVEL
  } catch {
    return 'info'
  }
}

/** The process' logger: JSON lines on stdout. Fields that may hold a secret are censored. */
export function log(): pino.Logger {
  logger ??= pino({
    level: level(),
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
