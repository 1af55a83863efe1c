import { Agent, type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { PASSWORD } from '../factories/group'
import type { Answered, Ask } from './device'

/** Signs a browser in, with a connection of its own that stays open. */
export async function openSession(url: string, email: string): Promise<Ask> {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 })
  const cookies = new Map<string, string>()
  const ask: Ask = async (method, path, body, headers = {}) => {
    const answer = await exchange(new URL(path, url), agent, method, body, {
      ...headers,
      'accept-encoding': 'gzip',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    return answer
  }
  const { status, text } = await ask(
    'POST',
    '/api/auth/sign-in',
    JSON.stringify({ email, password: PASSWORD }),
    {
      'content-type': 'application/json',
    },
  )
  if (status !== 200) throw new Error(`${email} could not sign in: ${status} ${text}`)
  return ask
}

function exchange(
  url: URL,
  agent: Agent,
  method: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, agent, headers }, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const raw = Buffer.concat(chunks)
        const text = (response.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString(
          'utf8',
        )
        const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        )
        resolve({ status: response.statusCode ?? 0, text, headers: new Headers(pairs), bytes: raw.length })
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}
