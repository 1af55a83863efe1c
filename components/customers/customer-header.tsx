import { IconArrowLeft } from '@tabler/icons-react'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { PageHeader } from '@/components/ui/page-header'
import { TierBadge } from '@/components/ui/tier-badge'
import type { Customer } from '@/lib/customers/schema'
import classes from './customer-header.module.css'

/** Who it is: name, tier, tags; and the way back to the list. */
export function CustomerHeader({ customer, name }: { customer: Customer; name: string }) {
  const t = useTranslations('customer')
  const badges = customer.loyalty_tier || customer.tags.length > 0
  return (
    <>
      <Link href="/customers" className={classes.back}>
        <IconArrowLeft size={15} aria-hidden />
        {t('back')}
      </Link>
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
      />
    </>
  )
}
