import { IconPencil } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { BackLink } from '@/components/ui/back-link'
import { BrokenNote } from '@/components/ui/broken'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import type { Automation } from '@/lib/automations/schema'
import { DeleteButton, RunButton, StatusSwitch } from './actions'
import { ChannelNames } from './list'

/** An automation's name and its buttons. */
export function DetailHeader({ automation }: { automation: Automation }) {
  const t = useTranslations('automations')
  const types = useTranslations('client.automations.types')
  const { id, name, type, status } = automation
  const active = status === 'active'
  return (
    <>
      <BackLink href="/automations">{t('back')}</BackLink>
      <PageHeader
        title={name}
        subtitle={
          <>
            {types(type)} · <ChannelNames automation={automation} />
          </>
        }
      >
        <StatusSwitch id={id} name={name} active={active} label={t('columns.status')} />
        <LinkButton href={`/automations/${id}/edit`}>
          <IconPencil size={16} aria-hidden />
          {t('edit')}
        </LinkButton>
        <DeleteButton id={id} name={name} />
        <RunButton id={id} name={name} active={active} />
      </PageHeader>
      {automation.broken ? <BrokenNote /> : null}
    </>
  )
}
