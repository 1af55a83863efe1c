import type { ReactNode } from 'react'
import { ClientTexts } from '@/components/ui/client-texts'

/** The client texts of the customers: the list, a customer, the duplicates. */
export default function CustomersLayout({ children }: { children: ReactNode }) {
  return (
    <ClientTexts
      features={[
        'booking',
        'consent',
        'customerFacts',
        'customers',
        'customerForm',
        'customerMatches',
        'facts',
        'guestFields',
        'guestLanguages',
        'merge',
        'service',
      ]}
    >
      {children}
    </ClientTexts>
  )
}
