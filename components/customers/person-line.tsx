import { useTranslations } from 'next-intl'
import { CustomerLink } from '@/components/ui/customer-link'
import { readableEmail } from '@/lib/contact/readable-email'
import { readablePhone } from '@/lib/contact/readable-phone'
import { personName } from '@/lib/customers/person-name'
import type { Customer } from '@/lib/customers/schema'
import { AllergiesByCode } from './allergy-badges'

/** A customer in a list of likely duplicates: the name, which links to the card, and e-mail and telephone below it. */
export function PersonLine({ customer }: { customer: Customer }) {
  const t = useTranslations('duplicates')
  const contact = [
    customer.email && readableEmail(customer.email),
    customer.phone && readablePhone(customer.phone),
  ].filter(Boolean)
  return (
    <div>
      <CustomerLink id={customer.id} name={personName(customer)} />
      <AllergiesByCode codes={customer.allergies} />
      <small>{contact.join(' · ') || t('noContact')}</small>
    </div>
  )
}
