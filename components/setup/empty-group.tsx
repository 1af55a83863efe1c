import { type Icon, IconBuildingStore, IconCalendarPlus, IconUsers } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import type { Session } from '@/lib/auth/session'

/** What a group lacks, with the page where an administrator adds it. */
const NEEDS = {
  locations: [IconBuildingStore, '/settings/locations'],
  reservations: [IconCalendarPlus, '/settings/integrations#pms'],
  customers: [IconUsers, '/settings/import'],
} as const satisfies Record<string, readonly [Icon, string]>

interface EmptyGroupProps {
  need: keyof typeof NEEDS
  can: Session['can']
}

/** A page of a group without data: what is missing, and a button for administrators; others read whom to ask. */
export function EmptyGroup({ need, can }: EmptyGroupProps) {
  const t = useTranslations('setup.empty')
  const [icon, href] = NEEDS[need]
  const may = can('canViewSettings')
  return (
    <EmptyState icon={icon} title={t(`${need}.title`)} text={may ? t(`${need}.text`) : t(`${need}.ask`)}>
      {may ? <LinkButton href={href}>{t(`${need}.action`)}</LinkButton> : null}
    </EmptyState>
  )
}
