import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clocks } from '@/lib/deployment/database'
import type { Line, LineId } from '@/lib/deployment/lines'
import type { Group } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'
import type { PmsSimulator } from '../fakes/pms/server'
import { startFakeResend } from '../fakes/resend/server'
import { type FakeTwilio, startFakeTwilio } from '../fakes/twilio/server'
import { connectAi } from './ai-group'
import { startApp, type TestApp } from './app'
import { type AuthFront, startAuthFront } from './auth-front'
import { deployWith, type PublicAddress, servePublicly } from './deployment'
import { lineInWords } from './installation-words'
import { startPmsGroup } from './pms-group'

/** A right installation, with a group whose providers all answer. */
export interface Installation {
  app: TestApp
  /** Supabase's gateway. */
  front: AuthFront
  group: Group
  pms: PmsSimulator
  twilio: FakeTwilio
  openai: OpenAiFake
  /** The public address of another installation. */
  other: PublicAddress
  /** What the check said before there was a group. */
  empty: Line[]
  close: () => Promise<void>
}

const health = async () => {
  const { GET } = await import('@/app/api/health/route')
  return GET(new Request('http://localhost:3000/api/health'))
}

/** Starts it: on the stack with Auth itself, behind a gateway that can fail. */
async function startInstallation(): Promise<Installation> {
  const twilio = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: TWILIO.auth_token })
  const resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
  const openai = await startOpenAi()
  const address = await servePublicly(health)
  const other = await servePublicly(async () => Response.json({ status: 'healthy' }))
  const app = await startApp(
    {
      TWILIO_BASE_URL: twilio.url,
      RESEND_BASE_URL: resend.url,
      OPENAI_BASE_URL: openai.url,
      APP_URL: address.url,
      MESSAGE_SANDBOX: '',
      LOG_LEVEL: 'silent',
    },
    { confirmEmail: true, settings: { GOTRUE_DISABLE_SIGNUP: 'true' } },
  )
  const front = await startAuthFront(app.stack.url)
  process.env.SUPABASE_URL = front.url
  const empty = await check()
  resend.account.domains = [{ name: 'grupo.example', status: 'verified' }]
  const { group, pms } = await startPmsGroup(app, ['Norte'])
  await connect(app.stack, group.id, 'twilio', TWILIO)
  await connect(app.stack, group.id, 'resend', RESEND)
  await connectAi(app.stack, group, {})
  await app.stack.sql(
    `insert into public.job_runs (organization_id, job, status) values ($1, 'automations', 'succeeded')`,
    [group.id],
  )
  await app.stack.sql(
    `insert into public.webhook_calls (organization_id, provider, heard_at)
     values ($1, 'twilio', now()), ($1, 'resend', now())`,
    [group.id],
  )
  const close = async () => {
    await Promise.all([twilio, resend, openai, pms, address, other, front].map((each) => each.close()))
    await app.close()
  }
  return { app, front, group, pms, twilio, openai, other, empty, close }
}

/** A clock whose calls to the database take so long, and that is ahead by so much. */
export const clocks = ({ callMs = 4, aheadMs = 0 } = {}): Clocks => {
  let elapsed = 0
  return {
    elapsed: () => {
      elapsed += callMs
      return elapsed
    },
    now: () => new Date(Date.now() + aheadMs),
  }
}

/** The lines of the check, made by these clocks. */
export async function check(with_: Clocks = clocks()): Promise<Line[]> {
  const { installation } = await import('@/lib/deployment/report')
  return (await installation({ clocks: with_ })).lines
}

/** The lines that are not right. */
export const faulty = (lines: Line[]) => lines.filter(({ state }) => state !== 'right')

/** What Supabase does not tell anybody. */
export const UNTOLD = 'address_forwarding'

/** A fault, and what the check says of it. */
interface Case {
  id: LineId
  /** In the words of both languages. */
  says: [spanish: RegExp, english: RegExp]
  env?: Record<string, string | undefined>
  clocks?: Clocks
  break?: () => Promise<unknown>
  mend?: () => Promise<unknown>
  /** Other lines that cannot be right then. */
  also?: LineId[]
  state?: 'unknown'
}

/** The lines that the database answers for. */
export const DATABASE: LineId[] = [
  'secret_key',
  'schema',
  'region',
  'clock',
  'secrets_key',
  'setup_token',
  'cron',
]

/** Faults by their names. They are made once there is an installation. */
export type Cases = Record<string, () => Case>

/**
 * Tests of a right installation: `others`, then the check names each fault in its turn, and finds nothing wrong at last.
 * On Postgres, whose stack has Auth itself.
 * @param begin gets the installation before the first test
 */
export function describeInstallation(
  title: string,
  { begin, cases }: { begin: (started: Installation) => unknown; cases: Cases },
  others: () => void,
): void {
  describe.runIf(process.env.STACK === 'postgres')(title, { shuffle: false }, () => {
    let here: Installation
    beforeAll(async () => {
      here = await startInstallation()
      await begin(here)
    })
    afterAll(() => here?.close())

    others()
    it.each(Object.keys(cases))('names %s in both languages, and nothing else', (name) =>
      expectNamed(here, cases[name]?.() as Case),
    )
    it('is right once all is mended', async () => expectRight(await check()))
  })
}

/** Expects that all is right, but for what Supabase does not tell. */
export function expectRight(lines: Line[]): void {
  expect(faulty(lines).map(({ id, state }) => [id, state])).toEqual([[UNTOLD, 'unknown']])
}

/** Makes the fault, expects the check to name it in both languages, and nothing else nor any secret, and mends it. */
async function expectNamed(here: Installation, found: Case): Promise<void> {
  const before = deployWith(found.env ?? {})
  try {
    await found.break?.()
    const lines = faulty(await check(found.clocks))
    const line = lines.find(({ id }) => id === found.id)
    expect(line?.state).toBe(found.state ?? 'wrong')
    const expected = new Set([found.id, UNTOLD, ...(found.also ?? [])])
    expect(lines.map(({ id }) => id).filter((id) => !expected.has(id))).toEqual([])
    for (const [index, locale] of (['es', 'en'] as const).entries()) {
      const words = lineInWords(line as Line, locale)
      expect(`${words.found} ${words.todo}`).toMatch(found.says[index] as RegExp)
      expect(words.todo).toMatch(/.{15,}\.$|:.*$/)
      for (const secret of secretsOf(here)) expect(JSON.stringify([line, words])).not.toContain(secret)
    }
  } finally {
    await found.mend?.()
    deployWith(before)
  }
}

function secretsOf({ app }: Installation) {
  const { secretKey, publishableKey, cronSecret, secretsKey } = app.stack.keys
  return [secretKey, publishableKey, cronSecret, secretsKey, TWILIO.auth_token, RESEND.api_key]
}
