import type { Role } from '../../lib/permissions'

/** Every demo sign-in has this password. */
export const DEMO_PASSWORD = 'mesa-demo-2026'

/** The demo's people, one per role; people with a location work only there. */
export const DEMO_STAFF: { email: string; full_name: string; role: Role; location?: string }[] = [
  { email: 'super@demo.example', full_name: 'Sara Vidal', role: 'super_admin' },
  { email: 'admin@demo.example', full_name: 'Andrés Molina', role: 'admin' },
  { email: 'ceo@demo.example', full_name: 'Carmen Echevarría', role: 'ceo' },
  { email: 'marketing@demo.example', full_name: 'Marta Soler', role: 'marketing' },
  { email: 'operaciones@demo.example', full_name: 'Óscar Benítez', role: 'operaciones' },
  { email: 'rrhh@demo.example', full_name: 'Rocío Herrero', role: 'rrhh' },
  { email: 'pr@demo.example', full_name: 'Pablo Roig', role: 'pr_comunicacion' },
  { email: 'sala@demo.example', full_name: 'Nerea Costa', role: 'sala', location: 'Casa Lumbre Chamberí' },
]
