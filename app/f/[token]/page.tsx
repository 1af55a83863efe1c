import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { hasLocale } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { SurveyPanel } from '@/components/feedback/survey-panel'
import { readSurvey } from '@/lib/feedback/survey'
import { LOCALES } from '@/lib/i18n/locales'
import { visitorLocale } from '@/lib/i18n/visitor-locale'

type Props = PageProps<'/f/[token]'>

/** The language that the guest chose on the page, else the browser's. */
async function languageOf({ searchParams }: Pick<Props, 'searchParams'>) {
  const { lang } = await searchParams
  return typeof lang === 'string' && hasLocale(LOCALES, lang) ? lang : visitorLocale()
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const t = await getTranslations({ locale: await languageOf(props), namespace: 'survey' })
  // The address is as good as a key. Not `no-referrer`: with it browsers hide the origin of the form too.
  return { title: t('title'), referrer: 'same-origin', robots: { index: false, follow: false } }
}

/** Where the survey link of a message leads. Looking records nothing: mail scanners look too. */
export default async function SurveyPage(props: Props) {
  const { token } = await props.params
  const survey = await readSurvey(token)
  if (!survey) notFound()
  const locale = await languageOf(props)
  return (
    <main lang={locale}>
      <SurveyPanel token={token} survey={survey} locale={locale} />
    </main>
  )
}
