import { assistantMutations } from './assistant'
import { calendarMutations } from './calendar'
import { changeMutations } from './changes'
import { deliveryMutations } from './delivery'
import { importMutations } from './imports'
import { locationMutations } from './locations'
import { messagingMutations } from './messaging'
import { morningMutations } from './morning'
import { editFunction, editPolicy, type Mutation } from './mutation'
import { partyLineMutations } from './party-lines'
import { securityMutations } from './security'
import { settingsMutations } from './settings'
import { setupMutations } from './setup'

const ORGANIZATION = 'rls-organization.test.ts'
const GUESTS = 'rls-customers.test.ts'
const INTEGRATIONS = 'rls-integrations.test.ts'

const HERE = 'organization_id = any(array(select private.my_organizations()))'
const holding = (permission: string) =>
  `organization_id = any(array(select private.my_organizations('${permission}')))`
const ASSIGNED = `
      p.role <> 'sala' and not exists (select 1 from public.profile_locations pl where pl.profile_id = p.id)
      or `
const mine = (signature: string) => `private.${signature}`
const SUMMARY = 'public.service_summary(uuid,date,timestamptz,text,text[])'
const ARRIVALS = 'public.next_arrivals(uuid,integer,timestamptz)'
const DAILY = 'public.daily_summary(date,date,uuid,text,text[])'
const TO_KNOW = 'public.customers_to_know(uuid,integer,timestamptz)'
const CUSTOMER_LIST = 'public.list_customers(jsonb,text,text,uuid,integer,timestamptz)'
const CUSTOMER_EXPORT = 'public.export_customers(uuid,jsonb,text,text,uuid,integer,timestamptz)'

/** Policies and functions that are a little wrong: a condition less, or another one. */
const WEAKENED: [file: string, name: string, sql: string][] = [
  [
    ORGANIZATION,
    'my_organizations(): every organization',
    editFunction(mine('my_organizations()'), 'where id = (select private.caller())', ''),
  ],
  [
    ORGANIZATION,
    'my_organizations(permission): any permission will do',
    editFunction(mine('my_organizations(text)'), ' and rp.permission = $1', ''),
  ],
  [
    ORGANIZATION,
    'my_locations(): assignments do not matter',
    editFunction(mine('my_locations()'), 'not exists (select 1', 'true or not exists (select 1'),
  ],
  [
    ORGANIZATION,
    'my_locations(): only the assigned',
    editFunction(mine('my_locations()'), ASSIGNED, '\n      '),
  ],
  [
    ORGANIZATION,
    'my_locations(): of every organization',
    editFunction(mine('my_locations()'), 'on l.organization_id = p.organization_id', 'on true'),
  ],
  [
    GUESTS,
    'my_locations(): assignments do not matter',
    editFunction(mine('my_locations()'), 'not exists (select 1', 'true or not exists (select 1'),
  ],
  [
    GUESTS,
    'my_locations(permission): any permission will do',
    editFunction(mine('my_locations(text)'), 'where exists (select 1 from private.my_organizations($1))', ''),
  ],
  [ORGANIZATION, 'profiles: only the own', editPolicy('profiles', 'id = (select private.caller())')],
  [ORGANIZATION, 'profiles: only for managers', editPolicy('profiles', holding('canManageTeam'))],
  [ORGANIZATION, 'profiles: every member reads the team', editPolicy('profiles', HERE)],
  [ORGANIZATION, 'invitations: every member reads them', editPolicy('invitations', HERE)],
  [
    ORGANIZATION,
    'profile_locations: everyone reads those of their locations',
    editPolicy('profile_locations', 'location_id = any(array(select private.my_locations()))'),
  ],
  [
    ORGANIZATION,
    'profile_locations: only the own',
    editPolicy('profile_locations', 'profile_id = (select private.caller())'),
  ],
  [
    ORGANIZATION,
    'profile_locations: managers read every location',
    editPolicy(
      'profile_locations',
      `profile_id = (select private.caller())
       or profile_id in (select p.id from public.profiles p where p.${holding('canManageTeam')})`,
    ),
  ],
  [ORGANIZATION, 'locations: of the whole organization', editPolicy('locations', HERE)],
  [
    ORGANIZATION,
    'my_session(): of anyone',
    editFunction(
      'public.my_session()',
      'on p.id = asked.id',
      'on p.id = (select x.id from public.profiles x order by x.id limit 1)',
    ),
  ],
  [
    'rls-loyalty.test.ts',
    'save_loyalty_changes: for every location',
    editFunction(
      'public.save_loyalty_changes(jsonb)',
      "array(select private.my_locations('canAccessMarketing'))",
      'array(select id from public.locations)',
    ),
  ],
  [
    'rls-loyalty.test.ts',
    'loyalty_distribution: whatever the role',
    editFunction('public.loyalty_distribution()', "my_locations('canAccessMarketing')", 'my_locations()'),
  ],
  [
    'rls-customers.test.ts',
    'save_customer_facts: whatever the role',
    editFunction('public.save_customer_facts(uuid,jsonb)', 'and private.may_use_card(id)', ''),
  ],
  [
    'rls-customers.test.ts',
    'guest cards: of every organization',
    editFunction(
      'private.may_use_card(uuid)',
      "c.organization_id = any(array(select private.my_organizations('canAccessClientes')))",
      "exists (select 1 from private.my_organizations('canAccessClientes'))",
    ),
  ],
  [
    'rls-customers.test.ts',
    'guest cards: whatever the role',
    editFunction('private.may_use_card(uuid)', "my_locations('canUseGuestCards')", 'my_locations()'),
  ],
  [
    'rls-customers.test.ts',
    'guest cards: of guests of every location',
    editFunction(
      'private.may_use_card(uuid)',
      "r.location_id = any(array(select private.my_locations('canUseGuestCards')))",
      "exists (select 1 from private.my_locations('canUseGuestCards'))",
    ),
  ],
  [
    'rls-customers.test.ts',
    'guest_card: whoever asks',
    editFunction('public.guest_card(uuid)', 'and private.may_use_card(c.id)', ''),
  ],
  [
    'rls-customers.test.ts',
    'guest_allergies: whoever asks',
    editFunction(
      'public.guest_allergies(uuid[])',
      'where r.customer_id = g.customer_id and r.location_id = any(m.locations)',
      'where r.customer_id = g.customer_id',
    ),
  ],
  [
    'rls-customers.test.ts',
    'save_guest_notes: whoever asks',
    editFunction('public.save_guest_notes(uuid,text)', 'and private.may_use_card(c.id)', ''),
  ],
  [
    'rls-customers.test.ts',
    'customer_habits: with its owner’s rights',
    'alter function public.customer_habits(uuid,timestamptz) security definer',
  ],
  [
    'rls-loyalty.test.ts',
    'save_points: whatever the role',
    editFunction(
      'public.save_points(uuid,text,integer,text)',
      "my_organizations('canAccessClientes')",
      'my_organizations()',
    ),
  ],
  [
    'rls-loyalty.test.ts',
    'save_points: of every organization',
    editFunction(
      'public.save_points(uuid,text,integer,text)',
      'id = p_customer and organization_id = v_organization for update',
      'id = p_customer for update',
    ),
  ],
  ['rls-loyalty.test.ts', 'loyalty_points: every member reads them', editPolicy('loyalty_points', HERE)],
  [
    'rls-loyalty.test.ts',
    'loyalty_points: by canViewSettings',
    editPolicy('loyalty_points', holding('canViewSettings')),
  ],
  [
    'rls-loyalty.test.ts',
    'loyalty_rules: of every location of the organization',
    editPolicy('loyalty_rules', `tier_id in (select t.id from public.loyalty_tiers t where t.${HERE})`),
  ],
  [GUESTS, 'customers: every member reads them', editPolicy('customers', HERE)],
  [GUESTS, 'customers: by canAccessOperaciones', editPolicy('customers', holding('canAccessOperaciones'))],
  [GUESTS, 'customers: by canViewSettings', editPolicy('customers', holding('canViewSettings'))],
  [
    GUESTS,
    'customers: of the own locations only',
    editPolicy('customers', `location_id = any(array(select private.my_locations('canAccessClientes')))`),
  ],
  [
    GUESTS,
    'reservations: by canAccessClientes',
    editPolicy('reservations', `location_id = any(array(select private.my_locations('canAccessClientes')))`),
  ],
  [
    GUESTS,
    'reservations: of every location of the organization',
    editPolicy('reservations', holding('canAccessOperaciones')),
  ],
  [
    GUESTS,
    'reservations: whatever the role',
    editPolicy('reservations', 'location_id = any(array(select private.my_locations()))'),
  ],
  [
    GUESTS,
    'service_summary: of every location',
    editFunction(SUMMARY, 'l.id = any(array(select private.my_locations())) and ', ''),
  ],
  [
    GUESTS,
    'service_summary: p_location opens any location',
    editFunction(SUMMARY, 'and (p_location is null or l.id = p_location)', 'or l.id = p_location'),
  ],
  [GUESTS, 'service_summary: under the own rights', `alter function ${SUMMARY} security invoker`],
  [
    GUESTS,
    'daily_summary: of every location',
    editFunction(DAILY, 'l.id = any(array(select private.my_locations())) and ', ''),
  ],
  [
    GUESTS,
    'daily_summary: p_location opens any location',
    editFunction(DAILY, 'and (p_location is null or l.id = p_location)', 'or l.id = p_location'),
  ],
  [GUESTS, 'daily_summary: under the own rights', `alter function ${DAILY} security invoker`],
  [
    GUESTS,
    'customers_to_know: whatever the role',
    editFunction(TO_KNOW, "my_locations('canAccessOperaciones')", 'my_locations()'),
  ],
  [
    GUESTS,
    'customers_to_know: of every location',
    editFunction(TO_KNOW, "l.id = any(array(select private.my_locations('canAccessOperaciones')))", 'true'),
  ],
  [
    GUESTS,
    'customers_to_know: to those who may not read customers',
    editFunction(TO_KNOW, "my_organizations('canAccessClientes')", 'my_organizations()'),
  ],
  [
    GUESTS,
    'next_arrivals: whatever the role',
    editFunction(ARRIVALS, "my_locations('canAccessOperaciones')", 'my_locations()'),
  ],
  [
    GUESTS,
    'next_arrivals: of every location',
    editFunction(ARRIVALS, "l.id = any(array(select private.my_locations('canAccessOperaciones')))", 'true'),
  ],
  [
    GUESTS,
    'list_customers: whatever the role',
    editFunction(CUSTOMER_LIST, "my_organizations('canAccessClientes')", 'my_organizations()'),
  ],
  [
    GUESTS,
    'list_customers: of every organization',
    editFunction(CUSTOMER_LIST, 'c.organization_id = $1', '$1 is not null'),
  ],
  [
    GUESTS,
    'export_customers: whatever the role',
    editFunction(CUSTOMER_EXPORT, "my_organizations('canAccessClientes')", 'my_organizations()'),
  ],
  [
    GUESTS,
    'export_customers: of every organization',
    editFunction(CUSTOMER_EXPORT, 'c.organization_id = $1 %3$s', '$1 is not null %3$s'),
  ],
  [INTEGRATIONS, 'integration_configs: every member reads them', editPolicy('integration_configs', HERE)],
  [
    INTEGRATIONS,
    'integration_configs: by canAccessMarketing',
    editPolicy('integration_configs', holding('canAccessMarketing')),
  ],
  [
    INTEGRATIONS,
    'integration_configs: authenticated may select secrets',
    'grant select (secrets) on public.integration_configs to authenticated',
  ],
  [
    INTEGRATIONS,
    'integration_configs: authenticated may update secrets',
    `grant update (secrets) on public.integration_configs to authenticated;
     create policy mutant on public.integration_configs for update to authenticated using (true)`,
  ],
  [
    INTEGRATIONS,
    'integration_configs: anon may select secrets',
    `grant select (secrets) on public.integration_configs to anon;
     create policy mutant on public.integration_configs for select to anon using (true)`,
  ],
  [
    INTEGRATIONS,
    'job_runs: those of no organization too',
    editPolicy('job_runs', `organization_id is null or ${HERE}`),
  ],
]

const HELPERS = ['my_organizations()', 'my_organizations(text)', 'my_locations()', 'my_locations(text)']

const CLAIM = 'private.claim_invitation(uuid,text,text)'
const JOIN = 'private.join_invited(uuid)'

/** Joining, the role matrix, and tables without expectations. */
const OTHERS: [file: string, name: string, sql: string][] = [
  [
    GUESTS,
    'sync_reservations: the service may not execute',
    'revoke execute on function public.sync_reservations(uuid, jsonb, timestamptz, text) from service_role',
  ],
  [
    INTEGRATIONS,
    'acquire_lease: the service may not execute',
    'revoke execute on function public.acquire_lease(text, uuid, integer) from service_role',
  ],
  [
    ORGANIZATION,
    'helpers of policies: authenticated may not execute',
    `revoke execute on function ${HELPERS.map((helper) => `private.${helper}`).join(', ')} from authenticated`,
  ],
  [
    'sign-up.test.ts',
    'sign-up: no invitation, no objection',
    editFunction(CLAIM, 'raise exception ', 'return; raise exception '),
  ],
  ['sign-up.test.ts', 'sign-up: no trigger that admits', 'drop trigger admit_user on auth.users'],
  ['sign-up.test.ts', 'sign-up: no trigger that joins', 'drop trigger join_new_user on auth.users'],
  [
    'sign-up.test.ts',
    'sign-up: confirming the address later makes no profile',
    'drop trigger join_confirmed_user on auth.users',
  ],
  [
    'sign-up.test.ts',
    'sign-up: the profile does not wait for the address',
    `drop trigger join_new_user on auth.users;
     create trigger join_new_user after insert on auth.users for each row execute function private.join_user()`,
  ],
  [
    'sign-up.test.ts',
    'sign-up: the token stays in the account',
    'drop trigger drop_invitation_token on auth.users',
  ],
  [
    'sign-up.test.ts',
    'sign-up: any token will do',
    editFunction(CLAIM, 'token_hash = encode(', 'token_hash is not null or token_hash = encode('),
  ],
  [
    'sign-up.test.ts',
    'sign-up: an expired invitation serves',
    editFunction(CLAIM, ' and expires_at > now()', ''),
  ],
  [
    'sign-up.test.ts',
    'sign-up: a used invitation serves again',
    editFunction(CLAIM, 'set token_hash = null', 'set token_hash = token_hash'),
  ],
  [
    'sign-up.test.ts',
    'sign-up: the invitation stays open',
    editFunction(JOIN, 'set accepted_at = now()', 'set accepted_at = null'),
  ],
  [
    'sign-up.test.ts',
    "sign-up: the e-mail's case matters",
    editFunction(CLAIM, 'lower(btrim(p_email))', 'p_email'),
  ],
  [
    'sign-up.test.ts',
    'sign-up: any e-mail that begins like an invited one',
    editFunction(CLAIM, 'email = lower(btrim(p_email))', `lower(p_email) like email || '%'`),
  ],
  [
    'sign-up.test.ts',
    'sign-up: locations of another organization',
    editFunction(JOIN, ' and l.organization_id = invitation.organization_id', ''),
  ],
  [
    'sign-up.test.ts',
    'sign-up: the person chooses the role',
    editFunction(
      'private.join_user()',
      'return new',
      `update public.profiles set role = coalesce(new.raw_user_meta_data ->> 'role', role) where id = new.id; return new`,
    ),
  ],
  ['sign-up.test.ts', 'invitations: two open for an e-mail', 'drop index public.invitations_open_email_key'],
  [
    'sign-up.test.ts',
    'invitations: e-mails as they come',
    'alter table public.invitations drop constraint invitations_email_check',
  ],
  [
    'permissions.test.ts',
    'matrix: one role more',
    `insert into private.role_permissions values ('rrhh', 'canAccessClientes')`,
  ],
  [
    '../api/floor-staff.test.ts',
    'my_locations(): floor staff without an assignment',
    editFunction(mine('my_locations()'), "p.role <> 'sala' and not", 'not'),
  ],
  [
    '../api/floor-staff.test.ts',
    'invitations: floor staff without a location',
    'alter table public.invitations drop constraint invitations_bound_check',
  ],
  [
    'permissions.test.ts',
    'matrix: one role less',
    `delete from private.role_permissions where role = 'ceo' and permission = 'canAccessMarketing'`,
  ],
  [
    'permissions.test.ts',
    'profiles: any role',
    'alter table public.profiles drop constraint profiles_role_check',
  ],
  [
    'permissions.test.ts',
    'invitations: any role',
    'alter table public.invitations drop constraint invitations_role_check',
  ],
  ['coverage.test.ts', 'a table without expectations', 'create table public.forgotten (id integer)'],
  ['coverage.test.ts', 'a view without expectations', 'create view public.forgotten as select 1 as id'],
  [
    'coverage.test.ts',
    'a function without expectations',
    `create function public.forgotten() returns integer language sql as 'select 1'`,
  ],
]

export const handmadeMutations: Mutation[] = [
  ...WEAKENED,
  ...locationMutations,
  ...assistantMutations,
  ...calendarMutations,
  ...changeMutations,
  ...importMutations,
  ...messagingMutations,
  ...deliveryMutations,
  ...settingsMutations,
  ...setupMutations,
  ...morningMutations,
  ...partyLineMutations,
  ...securityMutations,
  ...OTHERS,
].map(([file, name, sql]) => ({ file, name, sql }))
