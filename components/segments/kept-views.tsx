'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useSavedViews } from '@/components/customers/use-saved-views'
import { LinkButton } from '@/components/ui/link-button'
import classes from './segments.module.css'

interface KeptViewsProps {
  /** The id of the person: saved views are kept in the browser, which people may share. */
  userId: string
  /** The path of the page that turns a view's filters into a segment. */
  path: string
  /** The introduction above the views; not shown without views. */
  intro: ReactNode
}

/** The views that a person saved in this browser, each with a link that turns it into a segment. */
export function KeptViews({ userId, path, intro }: KeptViewsProps) {
  const t = useTranslations('client.segments')
  const { views } = useSavedViews(userId)
  if (views.length === 0) return null
  return (
    <section className={classes.views}>
      {intro}
      <ul className={classes.examples}>
        {views.map(({ name, href }) => {
          const query = new URLSearchParams(href.split('?')[1])
          query.set('name', name)
          return (
            <li key={name}>
              <LinkButton href={`${path}?${query}`} prefetch={false}>
                {t('keepView', { name })}
              </LinkButton>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
