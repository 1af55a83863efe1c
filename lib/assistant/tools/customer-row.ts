import type { Customer } from '@/lib/customers/schema'
import type { Found } from './tool'

/** A customer as the model gets it: no contact data and no free text but the notes. */
export function customerRow(customer: Customer) {
  const { notes, tags, birth_date, company, total_visits, total_spend, spend_is_estimate, last_visit_at } =
    customer
  return {
    name: nameOf(customer),
    tier: customer.loyalty_tier?.name ?? null,
    total_visits,
    total_spend_eur: total_spend,
    spend_is_estimate,
    last_visit: last_visit_at?.slice(0, 10) ?? null,
    birth_date,
    company,
    tags: tags.slice(0, 20),
    notes: notes?.slice(0, 300) ?? null,
  }
}

/** The same as a possible source. */
export function customerFound(customer: Customer): Found {
  const name = nameOf(customer)
  const label = name || customer.email || customer.phone || customer.id
  return { type: 'customer', id: customer.id, label: label.slice(0, 200), names: [name] }
}

const nameOf = ({ first_name, last_name }: Customer) =>
  [first_name, last_name].filter(Boolean).join(' ').slice(0, 120)
