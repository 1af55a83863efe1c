import { once } from 'node:events'
import { createServer } from 'node:net'

// Below what systems give to outgoing connections: nothing takes one of these by itself before its server listens.
const FIRST = 21_000
const LAST = 31_000
// Other runs start elsewhere.
let next = FIRST + (process.pid % (LAST - FIRST))

/** A port of loopback that nothing listens on; another one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next
    next = port < LAST ? port + 1 : FIRST
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await once(probe.close(), 'close')
  return true
}
