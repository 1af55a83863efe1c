import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ApiViewer } from '@/components/docs/api-viewer'
import { Link } from '@/components/ui/link'
import { Mark } from '@/components/ui/mark'
import classes from './page.module.css'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('docs')
  return { title: t('title') }
}

/** The API's description for people. Public, like the OpenAPI document. */
export default async function DocsPage() {
  const t = await getTranslations('docs')
  return (
    <>
      <header className={classes.header}>
        <Link href="/" className={classes.home}>
          <Mark size={28} />
          <h1 className={classes.title}>{t('title')}</h1>
        </Link>
        <a href="/api/docs/openapi.yaml" className={classes.source}>
          openapi.yaml
        </a>
      </header>
      {/* The viewer brings its own main landmark. */}
      <ApiViewer url="/api/docs/openapi.yaml" />
    </>
  )
}
