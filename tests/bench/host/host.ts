import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// As Vercel documents its functions (Limits; Streaming): bodies and answers in one piece up to 4.5 MB, streamed answers
// of any size, and a function ends at its `maxDuration`.
const MOST_BYTES = 4_500_000

/** A proxy in front of the app that refuses what Vercel refuses, with its words. */
export interface Host {
  url: string
  close: () => Promise<void>
}

/** Starts the host on a free port of loopback; `secondsOf` is the `maxDuration` of a path. */
export async function startHost(target: string, secondsOf: (path: string) => number): Promise<Host> {
  const { hostname, port } = new URL(target)
  const server = createServer(
    { keepAliveTimeout: 120_000, requestTimeout: 0 },
    async (incoming, outgoing) => {
      const body = await bodyOf(incoming)
      if (!body) return refuse(outgoing, 413, 'FUNCTION_PAYLOAD_TOO_LARGE')
      const { method, url = '/' } = incoming
      const { connection: _, 'transfer-encoding': __, ...headers } = incoming.headers
      const call = request({ hostname, port, method, path: url, headers })
      const late = setTimeout(
        () => {
          call.destroy()
          if (outgoing.headersSent) outgoing.destroy()
          else refuse(outgoing, 504, 'FUNCTION_INVOCATION_TIMEOUT')
        },
        secondsOf(url.split('?')[0] ?? '/') * 1000,
      )
      call.once('response', (response) => void answer(response, outgoing).finally(() => clearTimeout(late)))
      call.on('error', () => {
        clearTimeout(late)
        if (!outgoing.headersSent) refuse(outgoing, 502, 'FUNCTION_INVOCATION_FAILED')
        else outgoing.destroy()
      })
      call.end(body)
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The body, or null when it is larger than the host takes; the rest is read and dropped. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MOST_BYTES) chunks.push(chunk)
  }
  return size <= MOST_BYTES ? Buffer.concat(chunks) : null
}

/** Sends the answer on: in chunks as it comes when it has no length, else in one piece. */
async function answer(response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...headers } = response.headers
  const length = Number(headers['content-length'] ?? 0)
  if (length > MOST_BYTES) {
    response.resume()
    return refuse(outgoing, 500, 'FUNCTION_RESPONSE_PAYLOAD_TOO_LARGE')
  }
  outgoing.writeHead(response.statusCode ?? 502, headers)
  try {
    for await (const chunk of response) outgoing.write(chunk)
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}

function refuse(outgoing: ServerResponse, status: number, code: string): void {
  outgoing.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-vercel-error': code })
  outgoing.end(`${code}\n`)
}
