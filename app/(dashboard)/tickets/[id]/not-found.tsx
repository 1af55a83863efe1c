import { IconTicketOff } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

/** No such ticket, or none that this person may see. */
export default function TicketNotFound() {
  const t = useTranslations('tickets.notFound')
  return (
    <StatePage icon={IconTicketOff} title={t('title')} text={t('text')}>
      <LinkButton href="/tickets">{t('list')}</LinkButton>
    </StatePage>
  )
}
