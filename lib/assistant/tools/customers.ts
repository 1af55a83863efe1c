import 'server-only'
import { z } from 'zod'
import { fieldsWith } from '@/lib/customers/guest-fields'
import { listCustomers } from '@/lib/customers/list-customers'
import type { Customer } from '@/lib/customers/schema'
import { requiredText } from '@/lib/http/fields'
import { defineTool, type Found } from './tool'

const MAX_FOUND = 20

export const findCustomers = defineTool({
  name: 'find_customers',
  description:
    'Busca clientes por nombre, empresa, correo o teléfono. Da nivel, visitas, gasto (`spend_is_estimate`: contiene visitas sin importe, estimadas), última visita y notas. No contiene las alergias anotadas: están en la ficha.',
  permission: 'canAccessClientes',
  arguments: z.strictObject({ search: requiredText(200) }),
  run: async (session, { search }, { limit }) => {
    const { data, next_cursor } = await listCustomers(session, { search, limit: Math.min(limit, MAX_FOUND) })
    return { rows: data.map(rowOf), more: next_cursor !== null, found: data.map(customerFound) }
  },
})

const MAX_INACTIVE = 50
const REGULAR_VISITS = 2

export const inactiveRegulars = defineTool({
  name: 'inactive_regulars',
  description: `Clientes habituales (${REGULAR_VISITS} visitas o más) que no vienen desde hace tantos días, los de más visitas primero.`,
  permission: 'canAccessClientes',
  arguments: z.strictObject({ days: z.int().min(1).max(3650) }),
  run: async (session, { days }, { limit, now }) => {
    const filters = { inactive_days: days, sort: 'visits', limit: Math.min(limit, MAX_INACTIVE) } as const
    const { data, next_cursor } = await listCustomers(session, filters, now)
    const regulars = data.filter(({ total_visits }) => total_visits >= REGULAR_VISITS)
    return {
      rows: regulars.map(rowOf),
      more: next_cursor !== null && regulars.length === data.length,
      found: regulars.map(customerFound),
    }
  },
})

const READ = fieldsWith({ assistant: true })
const shortened = (value: string | string[] | null) =>
  typeof value === 'string' ? value.slice(0, 300) : (value?.slice(0, 20) ?? null)

/** A customer as the model reads it: no contact data, and no free text except the notes. */
function rowOf(customer: Customer) {
  const { total_visits, total_spend, spend_is_estimate, last_visit_on } = customer
  return {
    name: nameOf(customer),
    tier: customer.loyalty_tier?.name ?? null,
    total_visits,
    total_spend_eur: total_spend,
    spend_is_estimate,
    last_visit: last_visit_on,
    ...Object.fromEntries(READ.map((field) => [field, shortened(customer[field])])),
  }
}

/** The customer as a possible source of the reply. */
function customerFound(customer: Customer): Found {
  const name = nameOf(customer)
  const label = name || customer.email || customer.phone || customer.id
  return { type: 'customer', id: customer.id, label: label.slice(0, 200), names: [name] }
}

const nameOf = ({ first_name, last_name }: Customer) =>
  [first_name, last_name].filter(Boolean).join(' ').slice(0, 120)
