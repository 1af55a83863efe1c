import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { SurveyPanel } from '@/components/feedback/survey-panel'
import { GuestBrand } from '@/components/ui/guest-brand'
import { readSurvey, surveyedMessage } from '@/lib/feedback/survey'
import { chosenLanguage } from '@/lib/guests/language'
import { readGuestLook } from '@/lib/guests/look'
import { guestMetadata } from '@/lib/guests/metadata'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('survey')
  // The address is as good as a key. Not `no-referrer`: with it browsers hide the origin of the form too.
  return { ...guestMetadata(t('title')), referrer: 'same-origin' }
}

/** Where the survey link of a message leads. Looking records nothing: mail scanners look too. */
export default async function SurveyPage({ params, searchParams }: PageProps<'/f/[token]'>) {
  const [{ token }, { lang }] = await Promise.all([params, searchParams])
  const survey = await readSurvey(token)
  if (!survey) notFound()
  const look = await readGuestLook({ messageId: await surveyedMessage(token), visit: true })
  return (
    <main>
      <GuestBrand look={look}>
        <SurveyPanel token={token} survey={survey} chosen={chosenLanguage(lang)} />
      </GuestBrand>
    </main>
  )
}
