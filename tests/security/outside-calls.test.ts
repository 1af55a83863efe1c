import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AskModel } from '@/lib/assistant/provider'
import { pointAppAt } from '../support/app'

// Every way out of the server ends in time, and takes no endless answer. Biome knows the files that open one
// (scripts/lint/ways-out.grit). Not tried here: the deployment’s own Supabase; its read replica (tests/api/read-replica).
const BOUND_MS = 10_000
const TIMEOUT_MS = 500

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function listening(server: Server): Promise<string> {
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

/** Asks the service and waits `ms` for its answer. */
type Call = (url: string, ms: number) => Promise<string>

// These answer at once and for ever: only their size can end them before the test's own bound.
const ENDLESS = /without end|unpacks/

let calls: Record<string, Call>
beforeAll(async () => {
  const keys = {
    publishableKey: 'p',
    secretKey: 's',
    cronSecret: '',
    secretsKey: Buffer.alloc(32).toString('base64'),
  }
  pointAppAt('http://127.0.0.1:1', keys as never, { AI_TIMEOUT_MS: String(TIMEOUT_MS), LOG_LEVEL: 'silent' })
  const { fetchReservations } = await import('@/lib/pms/client')
  const { modelOf } = await import('@/lib/assistant/provider')
  const { twilioProvider } = await import('@/lib/messaging/twilio')
  const { resendProvider } = await import('@/lib/messaging/resend')
  const message = {
    id: 'm1',
    channel: 'sms',
    recipient: '+34600000000',
    content: { subject: 'x', body: 'x' },
    idempotencyKey: 'm1',
  } as const
  const query = { slug: 'alfa', from: '2026-01-01', to: '2026-01-01' }
  const ask = (baseUrl: string, ms: number): AskModel =>
    modelOf({ apiKey: 'k', model: 'm', temperature: 0, maxTokens: 1, baseUrl }, AbortSignal.timeout(4 * ms))
  const params = { messages: [{ role: 'user' as const, content: 'Hola' }] }
  calls = {
    'the PMS': async (baseUrl, ms) => {
      const signal = AbortSignal.timeout(4 * ms)
      const connection = { baseUrl, apiKey: 'k', timeoutMs: ms, signal, retryDelaysMs: [] }
      await fetchReservations(connection, query).next()
      return 'answered'
    },
    'the language model': async (url, ms) => (await ask(`${url}/v1`, ms)(params)).content,
    'the language model, in pieces': async (url, ms) =>
      (await ask(`${url}/v1`, ms)(params, () => {})).content,
    'Twilio, one message': async (baseUrl, ms) => {
      const account = { accountSid: 'AC1', authToken: 't', from: '+34900000001', statusCallback: null }
      const outcomes = await twilioProvider({ ...account, baseUrl, timeoutMs: ms }).send(
        [message],
        undefined as never,
      )
      return String(outcomes[0]?.kind)
    },
    'Resend, one message': async (baseUrl, ms) => {
      const account = { apiKey: 'k', fromEmail: 'a@b.example', fromName: null }
      const mail = { ...message, channel: 'email', recipient: 'c@d.example' } as const
      const outcomes = await resendProvider({ ...account, baseUrl, timeoutMs: ms }).send(
        [mail],
        undefined as never,
      )
      return String(outcomes[0]?.kind)
    },
  }
})

describe.each([
  'the PMS',
  'the language model',
  'the language model, in pieces',
  'Twilio, one message',
  'Resend, one message',
])('%s', (name) => {
  it.each(Object.keys(SERVICES))(
    'that %s is given up in time, without filling the memory',
    async (service) => {
      const url = (await SERVICES[service]?.()) ?? ''
      const before = process.memoryUsage().rss
      const outcome = await calls[name]?.(url, ENDLESS.test(service) ? 6 * BOUND_MS : TIMEOUT_MS).catch(
        (error: Error) => `failed: ${error.name}`,
      )
      expect(outcome).toMatch(/^(failed: (PmsError|ProviderError)|ambiguous|retryable)$/)
      expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
    },
    BOUND_MS,
  )
})
