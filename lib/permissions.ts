/** Every role a profile can have. */
export const ROLES = [
  'super_admin',
  'admin',
  'ceo',
  'marketing',
  'operaciones',
  'rrhh',
  'pr_comunicacion',
  'sala',
] as const
export type Role = (typeof ROLES)[number]

/** Which roles hold which permission. private.role_permissions holds the same; a test compares them. */
export const PERMISSIONS = {
  canViewSettings: ['super_admin', 'admin'],
  canManageTeam: ['super_admin', 'admin'],
  canAccessOperaciones: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'sala'],
  canAccessClientes: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones'],
  canAccessMarketing: ['super_admin', 'admin', 'ceo', 'marketing'],
  /** Reservations as files, and the morning report with its revenue: operations without the floor. API tokens for operations may. */
  canReadReports: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones'],
  /** What service mode shows of a guest: notes and facts, without spend. API tokens for customers may, too. */
  canUseGuestCards: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'sala'],
  /** Home and its figures, the assistant, and what marketing opens to all: not for floor staff. API tokens may. */
  canWorkInOffice: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'rrhh', 'pr_comunicacion'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof PERMISSIONS

/** What API tokens may hold: settings and the team are for people. The database checks the same. */
export const MACHINE_PERMISSIONS = [
  'canAccessOperaciones',
  'canAccessClientes',
  'canAccessMarketing',
] as const satisfies readonly Permission[]
export type MachinePermission = (typeof MACHINE_PERMISSIONS)[number]

const IMPLIED_BY: Partial<Record<Permission, Permission>> = {
  canUseGuestCards: 'canAccessClientes',
  canReadReports: 'canAccessOperaciones',
}

/** Whether an API token with these permissions holds that one, too; private.my_organizations says the same. */
export function machineCan(held: readonly Permission[], permission: Permission): boolean {
  if (permission === 'canWorkInOffice') return true
  return held.includes(IMPLIED_BY[permission] ?? permission)
}

/** Who may download everything that is held about a customer. */
export const SUBJECT_EXPORT_ROLES: readonly Role[] = ['super_admin', 'admin', 'ceo']

/** Whether the role holds the permission. */
export function can(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role)
}
