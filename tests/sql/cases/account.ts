import { type Cast, EVERYONE, type Who } from '../cast'
import { answers, type FunctionCase, serviceOnly } from '../expectations'

const SIGNED_IN = EVERYONE.filter((who) => who !== 'anon')
const MANAGERS: Who[] = ['super_admin', 'admin', 'boundAdmin']
const NOTHING = '00000000-0000-4000-8000-000000000000'
const shape = (answer: unknown) => answer

/** The session a token belongs to. */
const sessionOf = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).session_id as string

/** Whose each listed session is, by the tokens of the cast; people may have begun others when they signed up. */
function owners(answer: unknown, { tokens }: Cast): string[] {
  const rows = answer as { id: string; current: boolean }[]
  return rows.flatMap(({ id, current }) => {
    const owner = SIGNED_IN.find((who) => sessionOf(tokens[who]) === id)
    return owner ? [`${owner}${current ? ' (current)' : ''}`] : []
  })
}

/** Calls that end no session the others need. */
export const accountFunctions: Record<string, FunctionCase> = {
  my_sessions: {
    body: () => ({}),
    shape: owners,
    answers: answers<unknown>([], ...SIGNED_IN.map((who): [Who[], unknown] => [[who], [`${who} (current)`]])),
  },
  // The session of someone who was removed is over: ended twice it stays so, and it is not theirs to end.
  end_my_session: {
    body: ({ tokens }) => ({ p_session: sessionOf(tokens.fired) }),
    shape,
    answers: answers<unknown>(false, [['fired'], true]),
  },
  end_my_sessions: {
    body: () => ({ p_which: 'others' }),
    shape,
    answers: answers<unknown>(true, [['fired'], false]),
  },
  // What it does once a link is made is in tests/security/password-links.test.ts.
  hand_over_link: {
    body: ({ ids }) => ({ p_member: ids.stranger }),
    shape,
    answers: answers<unknown>('forbidden', [MANAGERS, 'not_found'], [['stranger'], 'own']),
  },
  // Someone of Sur, who ends their own: no call after it needs that session.
  end_member_sessions: {
    body: ({ ids }) => ({ p_member: ids.stranger }),
    shape,
    answers: answers<unknown>('forbidden', [MANAGERS, 'not_found'], [['stranger'], 'ended']),
  },
  password_link_holds: {
    body: () => ({ p_user: NOTHING, p_made: '2026-11-20T12:00:00Z' }),
    shape,
    answers: serviceOnly(),
  },
  end_sessions_of: { body: () => ({ p_user: NOTHING }), shape, answers: serviceOnly() },
  note_sign_in: {
    body: () => ({
      p_session: NOTHING,
      p_browser: 'Chrome',
      p_system: 'Linux',
      p_network: '203.0.113.0/24',
      p_place: 'Madrid, ES',
    }),
    shape,
    answers: serviceOnly(),
  },
}
