import { IconUserQuestion } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/link-button'
import { StatePage } from '@/components/ui/state-page'

/** No such customer, or none that this person may see. */
export default function CustomerNotFound() {
  const t = useTranslations('customer.notFound')
  return (
    <StatePage icon={IconUserQuestion} title={t('title')} text={t('text')}>
      <LinkButton href="/customers">{t('list')}</LinkButton>
    </StatePage>
  )
}
