import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { PageHeader } from '@/components/ui/page-header'
import { TierBadge } from '@/components/ui/tier-badge'
import type { Customer } from '@/lib/customers/schema'
import { BackLink } from './back-link'
import classes from './customer-header.module.css'

interface CustomerHeaderProps {
  customer: Customer
  name: string
  /** What can be done with them. */
  children?: ReactNode
}

/** Who it is: name, tier, tags; what can be done; and the way back to the list. */
export function CustomerHeader({ customer, name, children }: CustomerHeaderProps) {
  const t = useTranslations('customer')
  const badges = customer.loyalty_tier || customer.tags.length > 0
  return (
    <>
      <BackLink href="/customers">{t('back')}</BackLink>
      <PageHeader
        title={name}
        subtitle={
          badges ? (
            <span className={classes.badges}>
              <TierBadge tier={customer.loyalty_tier} />
              {customer.tags.map((tag) => (
                <Badge key={tag} tone="neutral">
                  {tag}
                </Badge>
              ))}
            </span>
          ) : null
        }
      >
        {children}
      </PageHeader>
    </>
  )
}
