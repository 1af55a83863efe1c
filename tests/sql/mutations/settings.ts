import { editFunction } from './mutation'

const FILE = 'rls-organization.test.ts'
const edit = (
  name: string,
  signature: string,
  part: string,
  replacement: string,
): [string, string, string] => [FILE, name, editFunction(`public.${signature}`, part, replacement)]
const STATS = 'stats_overview(date,date,uuid,timestamptz)'
const LIST = 'list_team(uuid,timestamptz,uuid,integer)'
const INVITE = 'invite_member(text,text,text,uuid[],text)'
const MAY_MANAGE = 'private.may_manage(private.team_manager,text,uuid[])'

/** Settings and team: functions that check a little less. */
export const settingsMutations: [file: string, name: string, sql: string][] = [
  edit('delete_brand: whatever the role', 'delete_brand(uuid)', "'canViewSettings'", ''),
  edit(
    'delete_brand: of any organization',
    'delete_brand(uuid)',
    "and organization_id = any(array(select private.my_organizations('canViewSettings')))",
    '',
  ),
  edit(
    'save_location: whatever the role',
    'save_location(uuid,jsonb)',
    "my_locations('canViewSettings')",
    'my_locations()',
  ),
  edit(
    'save_location: of any organization',
    'save_location(uuid,jsonb)',
    "and id = any(array(select private.my_locations('canViewSettings')))",
    '',
  ),
  edit('delete_location: whatever the role', 'delete_location(uuid)', "'canViewSettings'", ''),
  edit('list_team: every member', LIST, "'canManageTeam'", ''),
  edit(
    'list_team: of every organization',
    LIST,
    'p.organization_id = any',
    'p_limit is not null or p.organization_id = any',
  ),
  edit(
    'list_colleagues: of every organization',
    'list_colleagues()',
    'p.organization_id = any(array(select private.my_organizations()))',
    'true',
  ),
  edit(
    'change_member: of any organization',
    'change_member(uuid,jsonb)',
    ' and organization_id = manager.organization_id',
    '',
  ),
  edit('remove_member: oneself', 'remove_member(uuid)', 'p_member = manager.id', 'false'),
  edit('invite_member: any role', INVITE, 'not private.may_manage(manager, p_role, v_next)', 'false'),
  edit(
    'stats_overview: of every location',
    STATS,
    "private.my_locations('canWorkInOffice')",
    '(select id from public.locations)',
  ),
  [FILE, 'stats_overview: under the own rights', `alter function public.${STATS} security invoker`],
  [FILE, 'lock_team: whatever the role', editFunction('private.lock_team()', "'canManageTeam'", '')],
  [
    FILE,
    'may_manage: an admin touches a super_admin',
    editFunction(MAY_MANAGE, "p_role <> 'super_admin' or", 'true or'),
  ],
  [
    FILE,
    'may_manage: someone bound touches everyone',
    editFunction(MAY_MANAGE, 'cardinality(manager.location_ids) = 0', 'true'),
  ],
]
