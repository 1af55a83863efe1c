import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { generateKeys } from '../../supabase/local/keys'
import { startWorker, type Worker } from '../bench/support/worker'
import { pointAppAt } from '../support/app'
import { CALL_NAMES, type CallName } from './support/calls'
import type { Weighed } from './support/peak-memory'

// Every way out of the server ends by its own time limit, and takes no endless answer. Biome knows the files that open one
// (scripts/lint/ways-out.grit). Not tried here: the deployment’s own Supabase; its read replica (tests/api/read-replica).
const TIMEOUT_MS = 500
const NEVER_MS = 3_600_000
// The largest limit of an answer is 32 MB, and an answer may be asked for twice; the sockets hold some more.
const MOST_SENT = 128 * 1024 * 1024
const MOST_MEMORY = 400 * 1024 * 1024

const cleanups: (() => void)[] = []
/** The connections of the service under way. */
const sent: Socket[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
  sent.length = 0
})

async function listening(server: Server): Promise<string> {
  server.on('connection', (socket) => sent.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    request.resume()
    listener(request, response)
  })
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return listening(server)
}

/** Writes for as long as it is listened to. */
function pour(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

const SERVICES: Record<string, () => Promise<string>> = {
  'does not answer': () => serve(() => {}),
  'accepts and says nothing': async () => {
    const sockets = new Set<{ destroy: () => void }>()
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      sockets.add(socket)
    })
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return listening(server)
  },
  'answers a byte at a time': () =>
    serve((_, response) => {
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    }),
  'answers without end': () =>
    serve((_, response) => {
      response.setHeader('Content-Type', 'application/json')
      pour(response, Buffer.alloc(1024 * 1024, 32))
    }),
  'answers a small file that unpacks to a gigabyte': () => {
    const part = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32))
    return serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      response.end(Buffer.concat(Array.from({ length: 16 }, () => part)))
    })
  },
  'sends headers without end': async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(`X-More: ${'x'.repeat(4000)}\r\n`));
      }
      socket.on('drain', more)
      more()
    })
    cleanups.push(() => server.close())
    return listening(server)
  },
}

// These answer at once and for ever: only their size can end them before the test's own time limit.
const ENDLESS = /without end|unpacks/

let worker: Worker<{ name: CallName; url: string; ms: number }, Weighed<string | null>>
beforeAll(async () => {
  const keys = await generateKeys()
  pointAppAt('http://127.0.0.1:1', keys, { AI_TIMEOUT_MS: String(TIMEOUT_MS), LOG_LEVEL: 'silent' })
  worker = startWorker(new URL('./support/calls-worker.ts', import.meta.url))
})
afterAll(() => worker?.stop())

describe.each(CALL_NAMES)('%s', (name) => {
  it.each(Object.keys(SERVICES))('that %s is given up, without filling the memory', async (service) => {
    const url = (await SERVICES[service]?.()) ?? ''
    const { answer, peak } = await worker.ask({
      name,
      url,
      ms: ENDLESS.test(service) ? NEVER_MS : TIMEOUT_MS,
    })
    expect(answer).toMatch(/^(failed: (PmsError|ProviderError)|ambiguous|retryable)$/)
    expect(sent.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)).toBeLessThan(MOST_SENT)
    expect(peak).toBeLessThan(MOST_MEMORY)
  })
})
