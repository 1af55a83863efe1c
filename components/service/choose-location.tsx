import { IconBuildingStore } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { EmptyGroup } from '@/components/setup/empty-group'
import { EmptyState } from '@/components/ui/empty-state'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { ViewSwitch } from '@/components/ui/view-switch'
import type { Session } from '@/lib/auth/session'

interface ChooseLocationProps {
  title: string
  /** The page's path, which takes `location`. */
  path: string
  locations: readonly { id: string; name: string }[]
  can: Session['can']
}

/** The service pages before a location is chosen: the locations to choose from. */
export function ChooseLocation({ title, path, locations, can }: ChooseLocationProps) {
  const t = useTranslations('service')
  return (
    <>
      <PageHeader title={title} />
      {locations.length > 0 ? (
        <EmptyState icon={IconBuildingStore} title={t('choose')} text={t('chooseText')}>
          {locations.map(({ id, name }) => (
            <LinkButton key={id} href={`${path}?location=${id}`}>
              {name}
            </LinkButton>
          ))}
        </EmptyState>
      ) : (
        <EmptyGroup need="locations" can={can} />
      )}
    </>
  )
}

/** Links between the two views of a location's service: its parties, and its tables by time. */
export function ServiceViews({ locationId, current }: { locationId: string; current: 'parties' | 'tables' }) {
  const t = useTranslations('service.views')
  return (
    <ViewSwitch
      label={t('label')}
      views={[
        { href: `/service?location=${locationId}`, text: t('parties'), current: current === 'parties' },
        {
          href: `/service/tables?location=${locationId}`,
          text: t('tables'),
          current: current === 'tables',
        },
      ]}
    />
  )
}
