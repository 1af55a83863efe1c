import { FACTS } from '@/lib/customers/fact-codes'
import type { SegmentNode } from '@/lib/segments/schema'
import { REGULARS } from './campaigns'
import type { Service } from './service-client'

const SEGMENTS: { name: string; definition: SegmentNode }[] = [
  {
    name: 'Cumpleaños del mes, por WhatsApp',
    definition: {
      and: [
        { field: 'birthday', is: 'this_month' },
        { field: 'consent', channel: 'whatsapp', state: 'reachable' },
      ],
    },
  },
  {
    name: 'Alergias y reserva esta semana',
    definition: {
      and: [
        { field: 'facts', is: 'any', codes: [...FACTS.allergy] },
        { field: 'booking', days: 7 },
      ],
    },
  },
  {
    name: 'Venían mucho y llevan dos meses sin venir',
    definition: {
      and: [
        { field: 'visits', min: 4 },
        { field: 'last_visit', is: 'before', days: 60 },
        { not: { field: 'consent', channel: 'email', state: 'opted_out' } },
      ],
    },
  },
  {
    name: REGULARS,
    definition: {
      and: [
        { field: 'visits', min: 2 },
        { field: 'consent', channel: 'email', state: 'reachable' },
      ],
    },
  },
]

/** The segments that the demo's marketing shares with the group. */
export async function seedSegments(db: Service, organization_id: string): Promise<void> {
  const owner = await db
    .from('profiles')
    .select('id')
    .eq('organization_id', organization_id)
    .eq('email', 'marketing@demo.example')
    .single()
    .throwOnError()
  const rows = SEGMENTS.map(({ definition, ...rest }) => ({
    ...rest,
    definition: definition as object as never,
    ...{ organization_id, shared: true, owner_id: owner.data.id },
  }))
  await db.from('segments').insert(rows).throwOnError()
}
