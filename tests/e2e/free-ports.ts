import { once } from 'node:events'
import { createServer } from 'node:net'

// Below what systems give to outgoing connections: nothing takes one of these by itself before its server listens.
const FIRST = 21_000
const LAST = 31_000
const given = new Set<number>()

/** Ports of loopback that nothing listens on, each given once. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = []
  // Other runs start elsewhere.
  let port = FIRST + (process.pid % (LAST - FIRST))
  for (; found.length < count; port = port < LAST ? port + 1 : FIRST)
    if (!given.has(port) && (await isFree(port))) {
      given.add(port)
      found.push(port)
    }
  return found
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
