import 'server-only'
import { z } from 'zod'
import { listCustomers } from '@/lib/customers/list-customers'
import { customerFound, customerRow } from './customer-row'
import { defineTool } from './tool'

const MOST = 50
const REGULAR_VISITS = 2

export const inactiveRegulars = defineTool({
  name: 'inactive_regulars',
  description: `Clientes habituales (${REGULAR_VISITS} visitas o más) que no vienen desde hace tantos días, los de más visitas primero.`,
  permission: 'canAccessClientes',
  arguments: z.strictObject({ days: z.int().min(1).max(3650) }),
  run: async (session, { days }, { limit, now }) => {
    const filters = { inactiveDays: days, sort: 'visits', limit: Math.min(limit, MOST), now } as const
    const { data, next_cursor } = await listCustomers(session, filters)
    const regulars = data.filter(({ total_visits }) => total_visits >= REGULAR_VISITS)
    return {
      rows: regulars.map(customerRow),
      more: next_cursor !== null && regulars.length === data.length,
      found: regulars.map(customerFound),
    }
  },
})
