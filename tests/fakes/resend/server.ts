import { createHash, createHmac, randomUUID } from 'node:crypto'
import {
  type Answer,
  type Arrived,
  type Deliver,
  deliverByFetch,
  type FakeServer,
  type ServerOptions,
  startFakeServer,
} from '../providers/server'

export interface ResendOptions extends ServerOptions {
  deliver?: Deliver
  apiKey: string
  /** `whsec_` and base64. */
  webhookSecret: string
}

/** An e-mail the fake has accepted. */
interface AcceptedEmail {
  id: string
  key: string | null
  /** The e-mail as it came. */
  email: Record<string, unknown>
}

export interface FakeResend extends FakeServer {
  /** The domains of the account, and whether the key may only send. */
  account: {
    domains: { name: string; status: string }[]
    sendingOnly: boolean
    has_more: boolean
    /** How it refuses every e-mail, and nothing else. */
    refuses?: { status: number; name: string; message: string }
  }
  /** What was accepted, in order; each went out once. */
  accepted: AcceptedEmail[]
  /** Sends a signed event (`email.delivered` …) of an accepted e-mail; `data` is added to the usual fields. */
  report(id: string, event: { type: string; url: string; data?: object; at?: Date }): Promise<Response>
}

const ADDRESS = /^([^<>]+ )?<?[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>?$/

/** Starts Resend's e-mail API over HTTP: Bearer key, JSON in, single and batch, with idempotency keys remembered. */
export async function startFakeResend(options: ResendOptions): Promise<FakeResend> {
  const { deliver = deliverByFetch } = options
  const accepted: AcceptedEmail[] = []
  const account: FakeResend['account'] = { domains: [], sendingOnly: false, has_more: false }
  const remembered = new Map<string, { request: string; answer: Answer }>()

  const error = (statusCode: number, name: number | string, message = 'Refused'): Answer => ({
    status: statusCode,
    body: { statusCode, name: typeof name === 'number' ? 'application_error' : name, message },
  })

  function check({ method, path, headers, body }: Arrived): Answer | null {
    const asksDomains = method === 'GET' && path === '/domains'
    if (!asksDomains && (method !== 'POST' || (path !== '/emails' && path !== '/emails/batch')))
      return error(404, 'not_found', 'The requested endpoint does not exist')
    if (!headers.authorization) return error(401, 'missing_api_key', 'Missing API Key')
    if (headers.authorization !== `Bearer ${options.apiKey}`)
      return error(403, 'invalid_api_key', 'API key is invalid')
    if (asksDomains && account.sendingOnly)
      return error(401, 'restricted_api_key', 'This API key is restricted to only send emails')
    if (asksDomains)
      return {
        status: 200,
        body: { object: 'list', has_more: account.has_more, data: account.domains },
      }
    const { refuses } = account
    if (refuses) return error(refuses.status, refuses.name, refuses.message)
    const emails = emailsOf(body)
    if (!emails || emails.length > 100) return error(422, 'validation_error', 'Malformed e-mails')
    if (keyOf(headers) !== null && (keyOf(headers) ?? '').length > 256)
      return error(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars')
    const before = remembered.get(keyOf(headers) ?? '')
    if (before && before.request !== digest(path + body))
      return error(
        409,
        'invalid_idempotent_request',
        'Same idempotency key used with a different request payload.',
      )
    if (before) return null
    const problems = emails.map(problemOf)
    const strict = path === '/emails' || headers['x-batch-validation'] !== 'permissive'
    const first = problems.find((problem) => problem !== null)
    return first && strict ? error(422, 'validation_error', first) : null
  }

  function accept({ path, headers, body }: Arrived): Answer {
    const key = keyOf(headers)
    const before = remembered.get(key ?? '')
    if (before) return before.answer
    const emails = emailsOf(body) ?? []
    const fine = emails.filter((email) => problemOf(email) === null)
    const ids = fine.map((email) => {
      const id = randomUUID()
      accepted.push({ id, key, email })
      return { id }
    })
    const errors = emails.flatMap((email, index) => {
      const message = problemOf(email)
      return message === null ? [] : [{ index, message }]
    })
    const answer = { status: 200, body: path === '/emails' ? ids[0] : { data: ids, errors } }
    if (key) remembered.set(key, { request: digest(path + body), answer })
    return answer
  }

  async function report(
    id: string,
    { type, url, data = {}, at = new Date() }: Parameters<FakeResend['report']>[1],
  ) {
    const email = accepted.find((one) => one.id === id)?.email
    if (!email) throw new Error(`No e-mail ${id}`)
    const { from, subject, to } = email
    const tags = Object.fromEntries(
      (email.tags as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
    )
    const usual = { email_id: id, created_at: at.toISOString(), from, to: [to].flat(), subject, tags }
    const body = JSON.stringify({ type, created_at: at.toISOString(), data: { ...usual, ...data } })
    return deliver(url, signed(body, options.webhookSecret, at), body)
  }

  async function command(name: string, body: Record<string, unknown>): Promise<unknown> {
    if (name !== 'report') return null
    const { id, type, url, data } = body as { id: string; type: string; url: string; data?: object }
    return { status: (await report(id, { type, url, data })).status }
  }

  const ledger = () => ({ count: accepted.length, accepted })
  const server = await startFakeServer({ check, accept, error, ledger, command }, options)
  return { ...server, account, accepted, report }
}

/** The headers of a webhook as Resend (Svix) signs it. */
export function signed(
  body: string,
  secret: string,
  at: Date,
  id = `msg_${randomUUID()}`,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': `v1,${signature}`,
  }
}

const keyOf = (headers: Arrived['headers']) => (headers['idempotency-key'] as string | undefined) ?? null
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

function emailsOf(body: string): Record<string, unknown>[] | null {
  try {
    return [JSON.parse(body)].flat()
  } catch {
    return null
  }
}

function problemOf({ from, to, subject, html, text }: Record<string, unknown>): string | null {
  if (!ADDRESS.test(String(from)))
    return 'Invalid `from` field. The email address needs to follow the `email@example.com` format.'
  if (![to].flat().every((one) => ADDRESS.test(String(one))))
    return `Invalid \`to\` field. The email address ${String(to)} needs to follow the \`email@example.com\` format.`
  if (!subject) return 'Missing `subject` field.'
  return html || text ? null : 'Missing `html` or `text` field.'
}
