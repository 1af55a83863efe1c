import { BOUND, NORTE, roleOf, type Who } from '../cast'
import { answers, type FunctionCase, reads, type TableCase } from '../expectations'
import { settingsFunctions } from './settings'
import { tokenFunctions } from './tokens'

const MANAGERS: Who[] = ['super_admin', 'admin', 'boundAdmin']
const OTHERS = NORTE.filter((who) => !MANAGERS.includes(who))
const STRANGER: Who[] = ['stranger']

export const organizationTables: Record<string, TableCase> = {
  organizations: {
    keys: ['name'],
    reads: reads([NORTE, ['Norte']], [STRANGER, ['Sur']]),
    insert: (_, home) => ({ name: 'Nueva', slug: `nueva-${home.toLowerCase()}` }),
    change: () => ({ slug: 'robada' }),
  },
  brands: {
    keys: ['name'],
    reads: reads([NORTE, ['Norte']], [STRANGER, ['Sur']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], name: 'Nueva', slug: 'nueva' }),
    change: () => ({ slug: 'robada' }),
  },
  locations: {
    keys: ['name'],
    reads: reads([NORTE, ['Retiro', 'Sol']], [BOUND, ['Retiro']], [STRANGER, ['Triana']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], name: 'Nueva' }),
    change: () => ({ city: 'Robada' }),
  },
  profiles: {
    keys: ['full_name'],
    reads: reads(
      ...OTHERS.map((who): [Who[], string[]] => [[who], [who]]),
      [MANAGERS, [...NORTE]],
      [STRANGER, ['stranger']],
    ),
    insert: ({ ids }, home) => ({
      id: ids.fired,
      organization_id: ids[home],
      email: 'fired@equipo.example',
      full_name: 'fired',
      role: 'super_admin',
    }),
    change: () => ({ role: 'super_admin' }),
  },
  profile_locations: {
    keys: ['profile_id', 'location_id'],
    reads: reads(
      [MANAGERS, ['boundOperaciones / Retiro', 'boundAdmin / Retiro', 'sala / Retiro']],
      [['boundOperaciones'], ['boundOperaciones / Retiro']],
      [['sala'], ['sala / Retiro']],
    ),
    insert: ({ ids }, home) => ({
      profile_id: ids.operaciones,
      location_id: home === 'Norte' ? ids.Retiro : ids.Triana,
    }),
    change: ({ ids }) => ({ location_id: ids.Sol }),
  },
  invitations: {
    keys: ['email'],
    columns:
      'id, organization_id, email, full_name, role, location_ids, expires_at, mail, accepted_at, created_at',
    reads: reads(
      [MANAGERS, [...NORTE, 'fired', 'pendiente@norte.example']],
      [STRANGER, ['stranger', 'pendiente@sur.example']],
    ),
    insert: ({ ids }, home) => ({ organization_id: ids[home], email: 'nueva@equipo.example', role: 'ceo' }),
    change: () => ({ role: 'super_admin' }),
  },
}

export const organizationFunctions: Record<string, FunctionCase> = {
  ...settingsFunctions,
  ...tokenFunctions,
  my_session: {
    body: () => ({}),
    shape: (answer) => {
      const session = answer as { full_name: string; role: string; organization: { name: string } } | null
      return session && [session.full_name, session.role, session.organization.name]
    },
    answers: answers<unknown>(
      null,
      ...NORTE.map((who): [Who[], unknown] => [[who], [who, roleOf(who), 'Norte']]),
      [STRANGER, ['stranger', 'super_admin', 'Sur']],
    ),
  },
}
