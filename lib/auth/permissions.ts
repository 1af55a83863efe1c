/** Every role a profile can have. */
export const ROLES = [
  'super_admin',
  'admin',
  'ceo',
  'marketing',
  'operaciones',
  'rrhh',
  'pr_comunicacion',
] as const
export type Role = (typeof ROLES)[number]

/** Which roles hold which permission. private.role_permissions holds the same; a test compares them. */
export const PERMISSIONS = {
  canViewSettings: ['super_admin', 'admin'],
  canManageTeam: ['super_admin', 'admin'],
  canAccessOperaciones: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones'],
  canAccessClientes: ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones'],
  canAccessMarketing: ['super_admin', 'admin', 'ceo', 'marketing'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof PERMISSIONS

/** What API tokens may hold: settings and the team are for people. The database checks the same. */
export const MACHINE_PERMISSIONS = [
  'canAccessOperaciones',
  'canAccessClientes',
  'canAccessMarketing',
] as const satisfies readonly Permission[]
export type MachinePermission = (typeof MACHINE_PERMISSIONS)[number]

/** Who may download everything that is held about a customer. */
export const SUBJECT_EXPORT_ROLES: readonly Role[] = ['super_admin', 'admin', 'ceo']

/** Whether the role holds the permission. */
export function can(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role)
}
