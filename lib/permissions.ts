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

/** The roles with each permission. private.role_permissions is equal; a test compares them. */
export const PERMISSIONS = {
  canViewSettings: ['super_admin', 'admin'],
  canManageTeam: ['super_admin', 'admin'],
  canAccessOperaciones: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'sala'],
  canAccessClientes: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones'],
  canAccessMarketing: ['super_admin', 'admin', 'ceo', 'marketing'],
  /**
   * Downloads of reservations, and the morning report with revenue: operations roles except `sala`, and API tokens for
   * operations.
   */
  canReadReports: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones'],
  /** The guest's data in service mode: notes and facts, without spend. Also for API tokens for customers. */
  canUseGuestCards: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'sala'],
  /**
   * Home and its figures, the assistant, and the marketing operations open to all: not for floor staff. Also for API
   * tokens.
   */
  canWorkInOffice: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'rrhh', 'pr_comunicacion'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof PERMISSIONS

/** The permissions that API tokens can have; settings and the team are for people. The database checks the same. */
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

/** Whether an API token with these permissions also has that one; private.my_organizations decides likewise. */
export function machineCan(held: readonly Permission[], permission: Permission): boolean {
  if (permission === 'canWorkInOffice') return true
  return held.includes(IMPLIED_BY[permission] ?? permission)
}

/** The roles that may download all data of a customer. */
export const SUBJECT_EXPORT_ROLES: readonly Role[] = ['super_admin', 'admin', 'ceo']

/** Whether the role has the permission. */
export function can(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role)
}
