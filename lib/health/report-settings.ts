import 'server-only'
import { env } from '@/lib/env'
import { log } from '@/lib/log'

/** Whether the deployment's settings are valid; otherwise the log names every variable that is not, never a value. */
export function reportSettings(): boolean {
  try {
    env()
    return true
  } catch (error) {
    log().fatal({ err: error }, 'the settings are not valid')
    return false
  }
}
