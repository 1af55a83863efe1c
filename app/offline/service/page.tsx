import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { OfflineService } from '@/components/service/offline-service'
import { ClientTexts } from '@/components/ui/client-texts'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('service') }
}

/**
 * The page that a device keeps for /service without a connection (public/sw.js). It has nothing of anybody: the list is sealed
 * on the device.
 */
export default function OfflineServicePage() {
  return (
    <ClientTexts features={['service', 'facts', 'booking', 'closings', 'risk']}>
      <OfflineService />
    </ClientTexts>
  )
}
