import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { unknownAt } from '@/lib/locations/known-days'
import { listLocations } from '@/lib/organization/list-locations'
import { dateSchema } from './arguments'
import { defineTool } from './tool'

const DAY_MS = 86_400_000
const MAX_DAYS = 366

const rowSchema = z.object({
  location_id: z.string(),
  location: z.string(),
  reservations: z.number(),
  covers: z.number(),
  visits: z.number(),
  revenue: z.coerce.number(),
  estimated: z.coerce.number(),
})

export const revenueByLocation = defineTool({
  name: 'revenue_by_location',
  description:
    'Visitas y sus ingresos (`estimated_eur` es la parte estimada: comensales por gasto medio), reservas y comensales por local entre dos días de servicio, ambos incluidos; un año como mucho.',
  permission: 'canAccessOperaciones',
  arguments: z
    .strictObject({ from: dateSchema, to: dateSchema })
    .refine(({ from, to }) => from <= to, 'from is after to')
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS, 'more than a year'),
  run: async (session, { from, to }, { limit }) => {
    const [answer, locations] = await Promise.all([
      session.db.rpc('revenue_by_location', { p_from: from, p_to: to }).limit(limit + 1),
      listLocations(session),
    ])
    const found = unwrap(answer)
    const rows = z.array(rowSchema).parse(found)
    const listed = rows.slice(0, limit)
    return {
      rows: listed.map(({ location_id: _, revenue, estimated, ...row }) => ({
        ...row,
        revenue_eur: revenue,
        estimated_eur: estimated,
      })),
      more: rows.length > limit,
      // The days known are in a row: without both ends some are missing.
      noData: [...new Set([...unknownAt(locations, from), ...unknownAt(locations, to)])].map(
        ({ name }) => name,
      ),
      found: listed.map(({ location_id: id, location }) => ({
        type: 'location',
        id,
        label: location,
        names: [location],
      })),
    }
  },
})
