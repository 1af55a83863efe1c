import 'server-only'
import { z } from 'zod'
import { listCustomers } from '@/lib/customers/list-customers'
import { customerFound, customerRow } from './customer-row'
import { defineTool } from './tool'

const MOST = 20

export const findCustomers = defineTool({
  name: 'find_customers',
  description:
    'Busca clientes por nombre, empresa, correo o teléfono. Da nivel, visitas, gasto (`spend_is_estimate`: contiene visitas sin importe, estimadas), última visita y notas.',
  permission: 'canAccessClientes',
  arguments: z.strictObject({ search: z.string().trim().min(1).max(200) }),
  run: async (session, { search }, { limit }) => {
    const { data, next_cursor } = await listCustomers(session, { search, limit: Math.min(limit, MOST) })
    return { rows: data.map(customerRow), more: next_cursor !== null, found: data.map(customerFound) }
  },
})
