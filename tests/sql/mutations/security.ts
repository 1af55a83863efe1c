import { editFunction, editPolicy } from './mutation'

const ACCOUNT = 'rls-account.test.ts'
const ASSISTANT = 'rls-assistant.test.ts'
const CHANGES = 'rls-changes.test.ts'
const INTEGRATIONS = 'rls-integrations.test.ts'
const SESSIONS = '../security/sessions.test.ts'
const TOKENS = '../security/api-tokens.test.ts'
const APPROVAL = '../security/approval.test.ts'
const PROGRAMS = '../security/approval-programs.test.ts'
const LINKS = '../security/password-links.test.ts'
const PEOPLE = '../security/second-person.test.ts'
const LIMITS = '../security/pending-limits.test.ts'
const MACHINE_ROLE = '../security/machine-role.test.ts'
const AUDIT = '../security/audit.test.ts'
const CAMPAIGN_NOTICES = '../api/campaign-notices.test.ts'
const CEILING = '../security/ai-ceiling.test.ts'
const SETUP = '../security/setup.test.ts'
const SECOND_FACTOR = '../security/second-factor.test.ts'

const HERE = 'organization_id = any(array(select private.my_organizations()))'
const USE_TOKEN = 'public.use_api_token(uuid,text,text,timestamptz)'
const LIST_TOKENS = 'public.list_api_tokens(uuid,timestamptz,uuid,integer)'
const REVOKE = 'public.revoke_api_token(uuid)'
const DECIDE = 'public.decide_run(uuid,boolean,integer)'
const MAY_APPROVE = 'private.may_approve(uuid,uuid)'
const DECIDE_LIMIT = 'public.decide_limit(text,boolean,timestamptz)'
const TO_DECIDE = 'private.run_to_decide(uuid)'
const SENDING = 'public.stop_sending(boolean)'
const CLAIM_SETUP = 'private.claim_setup(uuid,text,text)'
const RESERVE = 'public.reserve_ai(uuid,uuid,integer,integer,timestamptz)'

type Listed = [file: string, name: string, sql: string]
const edit = (file: string, name: string, signature: string, part: string, replacement: string): Listed => [
  file,
  name,
  editFunction(signature, part, replacement),
]

/** Sessions, API tokens, approval, the audit log, the assistant's ceiling: functions that check a little less. */
export const securityMutations: Listed[] = [
  edit(SETUP, 'claim_setup: by any token', CLAIM_SETUP, 'token_hash = v_hash and ', ''),
  [
    SETUP,
    'claim_setup: a second group',
    [
      editFunction(CLAIM_SETUP, 'if not public.setup_is_open() then', 'if false then'),
      editFunction(CLAIM_SETUP, 'delete from private.setup_requests;', ''),
    ].join(';'),
  ],
  edit(
    ACCOUNT,
    'my_sessions: of everyone',
    'public.my_sessions()',
    's.user_id = (select private.caller()) and ',
    '',
  ),
  edit(ACCOUNT, 'end_my_session: of anyone', 'public.end_my_session(uuid)', 's.user_id = v_user and ', ''),
  edit(
    ACCOUNT,
    'end_my_sessions: without a session',
    'public.end_my_sessions(text)',
    'if v_user is null then\n    return false;',
    'if v_user is null then\n    return true;',
  ),
  edit(
    ACCOUNT,
    'end_member_sessions: of any organization',
    'public.end_member_sessions(uuid)',
    ' and organization_id = manager.organization_id',
    '',
  ),
  edit(
    LINKS,
    'hand_over_link: of people with more rights',
    'public.hand_over_link(uuid,boolean)',
    'elsif not private.may_manage(manager, member.role,',
    'elsif false and not private.may_manage(manager, member.role,',
  ),
  edit(
    PEOPLE,
    'hand_over_link: the two approve each other’s sends',
    'public.hand_over_link(uuid,boolean)',
    'insert into private.role_grants (profile_id, granted_by) values (p_member, manager.id)',
    'insert into private.role_grants (profile_id, granted_by) values (p_member, p_member)',
  ),
  edit(
    SESSIONS,
    'live_user(): a session that is over goes on',
    'private.live_user()',
    'private.session_end(s.id) > now()',
    'true',
  ),
  edit(
    SESSIONS,
    'session_end(): no end after 30 days',
    'private.session_end(uuid)',
    "s.created_at + interval '30 days'",
    's.not_after',
  ),
  edit(
    SESSIONS,
    'session_end(): no end after 7 days without use',
    'private.session_end(uuid)',
    "interval '7 days'",
    "interval '70 days'",
  ),
  edit(
    TOKENS,
    'live_user(): a revoked token goes on',
    'private.live_user()',
    't.revoked_at is not null or ',
    '',
  ),
  edit(
    TOKENS,
    'live_user(): an expired token goes on',
    'private.live_user()',
    ' or t.expires_at <= now()',
    '',
  ),
  edit(
    TOKENS,
    'my_organizations(permission): a machine may everything',
    'private.my_organizations(text)',
    "case $1 when 'canUseGuestCards' then 'canAccessClientes' when 'canReadReports' then 'canAccessOperaciones' else $1 end = any(t.permissions)",
    'true',
  ),
  edit(TOKENS, 'use_api_token: any secret', USE_TOKEN, 't.token_hash = p_token_hash', 'true'),
  edit(TOKENS, 'use_api_token: a revoked one', USE_TOKEN, 't.revoked_at is null', 'true'),
  edit(TOKENS, 'use_api_token: an expired one', USE_TOKEN, ' and t.expires_at > p_now', ''),
  edit(TOKENS, 'list_api_tokens: whatever the role', LIST_TOKENS, "'canManageTeam'", ''),
  edit(
    TOKENS,
    'list_api_tokens: of locations the person does not work in',
    LIST_TOKENS,
    'private.covers(t.location_ids)',
    'true',
  ),
  edit(
    TOKENS,
    'revoke_api_token: of locations the person does not work in',
    REVOKE,
    " or not private.may_manage(manager, 'machine', token.location_ids)",
    '',
  ),
  edit(
    TOKENS,
    'revoke_api_token: the session goes on',
    REVOKE,
    'set revoked_at = now()',
    'set revoked_at = null',
  ),
  edit(
    APPROVAL,
    'decide_run: by the person who started it',
    DECIDE,
    'not private.may_approve(private.caller(), v.started_by)',
    'false',
  ),
  edit(
    PEOPLE,
    'may_approve: whom they invited',
    MAY_APPROVE,
    ' and not private.are_linked(p_person, s.person)',
    '',
  ),
  edit(
    PEOPLE,
    'are_linked: for ever',
    'private.are_linked(uuid,uuid)',
    "interval '30 days'",
    "interval '900 days'",
  ),
  edit(
    PEOPLE,
    'change_member: nobody remembers who set the role',
    'public.change_member(uuid,jsonb)',
    'on conflict (profile_id, granted_by) do update set granted_at = now()',
    'on conflict (profile_id, granted_by) do nothing; delete from private.role_grants where profile_id = p_member',
  ),
  edit(
    PEOPLE,
    'renew_invitation: nobody remembers who has the link',
    'public.renew_invitation(uuid,text)',
    'array_append(array_remove(invited_by, manager.id), manager.id)',
    'invited_by',
  ),
  edit(
    LIMITS,
    'raised_limits: off is no raise',
    'private.raised_limits(public.organizations,jsonb)',
    'l.new is null or ',
    '',
  ),
  edit(LIMITS, 'decide_limit: by who asked', DECIDE_LIMIT, "return 'own';", 'null;'),
  edit(LIMITS, 'decide_limit: whatever the role', DECIDE_LIMIT, "'canViewSettings'", ''),
  edit(
    LIMITS,
    'keep_limits: by anyone',
    'private.keep_limits()',
    'v_person.id is not null and exists',
    'false and exists',
  ),
  edit(
    LIMITS,
    'apply_due_limits: at once',
    'public.apply_due_limits(timestamptz)',
    "(e.value ->> 'due_at')::timestamptz <= p_now",
    'true',
  ),
  edit(
    MACHINE_ROLE,
    'check_machine_role: anyone',
    'private.check_machine_role()',
    "(new.role = 'machine') <> private.is_machine(new.id)",
    'false',
  ),
  edit(PROGRAMS, 'may_approve: a program', MAY_APPROVE, "p.role <> 'machine'", 'true'),
  edit(PROGRAMS, 'may_approve: who made the token', MAY_APPROVE, 't.user_id = p_starter', 'false'),
  edit(
    APPROVAL,
    'decide_run: of other numbers than were seen',
    DECIDE,
    'p_approve and v.guests is distinct from p_guests',
    'false',
  ),
  edit(APPROVAL, 'decide_run: after its time', DECIDE, ' or v.expires_at <= now()', ''),
  edit(
    APPROVAL,
    'decide_run: without a line in the log',
    DECIDE,
    "'automation.approved'",
    "'automation.refused'",
  ),
  edit(APPROVAL, 'run_to_decide: whatever the role', TO_DECIDE, "'canAccessMarketing'", ''),
  edit(
    APPROVAL,
    'run_to_decide: of locations the person does not work in',
    TO_DECIDE,
    'private.covers(run.location_ids)',
    'true',
  ),
  edit(
    APPROVAL,
    'stop_run: it goes on',
    'public.stop_run(uuid)',
    "set status = 'stopped'",
    'set status = v.status',
  ),
  edit('rls-messaging.test.ts', 'stop_sending: whatever the role', SENDING, "'canAccessMarketing'", ''),
  edit(
    'rls-messaging.test.ts',
    'stop_sending: by someone bound to locations',
    SENDING,
    'and private.works_everywhere()',
    '',
  ),
  edit(
    APPROVAL,
    'my_notices: the own run waits for oneself',
    'public.my_notices(timestamptz)',
    'started_by is distinct from (select private.caller())',
    'true',
  ),
  edit(
    CAMPAIGN_NOTICES,
    'my_notices: the own campaign waits for oneself',
    'public.my_notices(timestamptz)',
    'launched_by is distinct from (select private.caller())',
    'true',
  ),
  edit(
    CHANGES,
    'log_action: the export of the log by any role',
    'public.log_action(text)',
    "my_organizations('canViewSettings')",
    'person_organizations()',
  ),
  edit(
    AUDIT,
    'acting(): anyone says for whom they act',
    'private.acting()',
    "current_setting('role', true) = 'service_role'",
    'true',
  ),
  [AUDIT, 'audit_log: rows can be changed', 'alter table public.audit_log disable trigger user'],
  [ASSISTANT, 'ai_usage: every member reads it', editPolicy('ai_usage', HERE)],
  [ASSISTANT, 'ai_usage: only the own', editPolicy('ai_usage', 'person = (select private.caller())')],
  edit(CEILING, 'reserve_ai: no calls for all', RESERVE, 'v_all.calls > o.ai_daily_calls', 'false'),
  edit(
    CEILING,
    'reserve_ai: no calls for one',
    RESERVE,
    'v_all.own_calls > o.ai_daily_calls_per_person',
    'false',
  ),
  edit(CEILING, 'reserve_ai: no tokens for all', RESERVE, 'v_all.tokens > o.ai_daily_tokens', 'false'),
  edit(
    CEILING,
    'reserve_ai: no tokens for one',
    RESERVE,
    'v_all.own_tokens > o.ai_daily_tokens_per_person',
    'false',
  ),
  [INTEGRATIONS, 'job_runs: every member reads them', editPolicy('job_runs', HERE)],
  [
    INTEGRATIONS,
    'job_runs: by canAccessOperaciones',
    editPolicy(
      'job_runs',
      "organization_id = any(array(select private.my_organizations('canAccessOperaciones')))",
    ),
  ],
  // The embedded Auth has no second factor: these are noticed on Postgres only.
  ...secondFactorMutations(),
]

function secondFactorMutations(): Listed[] {
  const CLAIM = 'public.claim_recovery_code(uuid,text,timestamptz)'
  return [
    edit(
      SECOND_FACTOR,
      'missing_step(): no code is asked for',
      'private.missing_step(uuid)',
      "case when auth.jwt() ->> 'aal' = 'aal2' then null else 'code' end",
      'null',
    ),
    edit(
      SECOND_FACTOR,
      'must_have_second_factor(): whatever the organization says',
      'private.must_have_second_factor(uuid)',
      'o.require_second_factor',
      'false',
    ),
    edit(
      SECOND_FACTOR,
      'has_confirmed(): once is for ever',
      'private.has_confirmed()',
      "> now() - interval '10 minutes'",
      'is not null',
    ),
    edit(SECOND_FACTOR, 'claim_recovery_code: twice', CLAIM, ' and claimed_at is null', ''),
    edit(
      SECOND_FACTOR,
      'claim_recovery_code: of anyone',
      CLAIM,
      'user_id = p_user and code_hash',
      'code_hash',
    ),
  ]
}
