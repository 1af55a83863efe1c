import type { Break } from './break'

/** Twenty breaks of policies, grants and what functions check: [name, file in supabase, find, replace, the test file: of tests/sql, or with its folder]. */
const RIGHTS: readonly [name: string, file: string, find: string, replace: string, test: string][] = [
  [
    'locations: of the whole organization',
    'schema/access.sql',
    `on public.locations for select to authenticated
  using (id = any(array(select private.my_locations())));`,
    `on public.locations for select to authenticated
  using (organization_id = any(array(select private.my_organizations())));`,
    'rls-organization',
  ],
  [
    'profiles: every colleague reads them',
    'schema/access.sql',
    `    id = (select private.caller())
    or organization_id = any(array(select private.my_organizations('canManageTeam'))));`,
    `    id = (select private.caller())
    or organization_id = any(array(select private.my_organizations())));`,
    'rls-organization',
  ],
  [
    'invitations: managers read the hash of the link',
    'schema/organization.sql',
    'grant select (id, organization_id, email, full_name, role,',
    'grant select (id, organization_id, token_hash, email, full_name, role,',
    'security/invitations',
  ],
  [
    'brands: no row level security',
    'schema/organization.sql',
    'alter table public.brands enable row level security;\n',
    '',
    'hosted-rights',
  ],
  [
    'my_session: anon may call it',
    'logic/access/permissions.sql',
    'grant execute on function public.my_session() to authenticated;',
    'grant execute on function public.my_session() to anon, authenticated;',
    'hosted-rights',
  ],
  [
    'customers: floor staff read them',
    'schema/customers.sql',
    `on public.customers for select to authenticated
  using (organization_id = (select private.my_organizations('canAccessClientes')));`,
    `on public.customers for select to authenticated
  using (organization_id = (select private.my_organizations('canAccessOperaciones')));`,
    'rls-customers',
  ],
  [
    'reservations: of locations one does not work in',
    'schema/reservations.sql',
    `my_organizations('canAccessOperaciones'))
    and location_id = any(array(select private.my_locations())));`,
    `my_organizations('canAccessOperaciones')));`,
    'rls-customers',
  ],
  [
    'automations: people bound to a location read those of all locations',
    'schema/automations.sql',
    `    -- Someone bound to locations has those that write to guests of these alone.
    and ((select private.works_everywhere())
      or (location_ids <> '{}' and location_ids <@ array(select private.my_locations()))));`,
    '  );',
    'rls-messaging',
  ],
  [
    'messages: marketing staff read notices to the team',
    'schema/messages.sql',
    "using (kind <> 'notification'\n    and organization_id",
    'using (organization_id',
    'rls-messaging',
  ],
  [
    'integration_configs: settings staff read the sealed secrets',
    'schema/integrations.sql',
    'grant select (id, organization_id, integration_type, is_enabled, config, created_at, updated_at)',
    'grant select',
    'rls-integrations',
  ],
  [
    'tickets: signed-in people may update the table',
    'schema/tickets.sql',
    'grant select on public.tickets, public.ticket_comments to authenticated;',
    'grant select, update on public.tickets, public.ticket_comments to authenticated;',
    'rls-calendar',
  ],
  [
    'audit_log: people bound to a location read all of it',
    'schema/audit.sql',
    'and ((select private.works_everywhere())',
    'and (true',
    'rls-changes',
  ],
  [
    'segments: private ones are for all',
    'schema/segments.sql',
    `using (organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and (shared or owner_id = (select private.caller())));`,
    `using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));`,
    'rls-segments',
  ],
  [
    'campaigns: whatever the role',
    'schema/campaigns.sql',
    `on public.campaigns for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessMarketing')))`,
    `on public.campaigns for select to authenticated
  using (organization_id = any(array(select private.my_organizations()))`,
    'rls-campaigns',
  ],
  [
    'push_subscriptions: those of colleagues',
    'schema/push.sql',
    `on public.push_subscriptions for select to authenticated
  using (profile_id = (select private.caller()));`,
    `on public.push_subscriptions for select to authenticated
  using (organization_id = any(array(select private.my_organizations())));`,
    'rls-push',
  ],
  [
    'save_points: whatever the role',
    'logic/loyalty/standing.sql',
    "v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);\n  v_balance",
    'v_organization uuid := (select id from private.my_organizations() as id limit 1);\n  v_balance',
    'rls-loyalty',
  ],
  [
    'revenue_by_location: floor staff read it',
    'logic/assistant/assistant.sql',
    `my_locations('canAccessOperaciones')))
    and exists (select 1 from private.my_organizations('canWorkInOffice'))`,
    "my_locations('canAccessOperaciones')))",
    'rls-assistant',
  ],
  [
    'role matrix: operations staff send campaigns',
    'schema/access.sql',
    "('canAccessMarketing', array['super_admin', 'admin', 'ceo', 'marketing']),",
    "('canAccessMarketing', array['super_admin', 'admin', 'ceo', 'marketing', 'operaciones']),",
    'permissions',
  ],
  [
    'erase_customer: a guest of any organization',
    'logic/erasure/erasure.sql',
    `perform private.lock_identities(v_organization);
  perform 1 from public.customers where id = p_id and organization_id = v_organization for update;`,
    `perform private.lock_identities(v_organization);
  perform 1 from public.customers where id = p_id for update;`,
    'rls-changes',
  ],
  [
    'take_taps: in locations one does not work in',
    'logic/service/board.sql',
    "if p_location is null or p_location <> all(array(select private.my_locations('canAccessOperaciones'))) then",
    "if p_location is null or not exists (select from private.my_locations('canAccessOperaciones')) then",
    'rls-service',
  ],
]

export const policyBreaks: readonly Break[] = RIGHTS.map(([name, file, find, replace, test]) => ({
  name,
  kind: 'policy',
  file: `supabase/${file}`,
  find,
  replace,
  noticedBy: { files: [`tests/${test.includes('/') ? test : `sql/${test}`}.test.ts`] },
}))
