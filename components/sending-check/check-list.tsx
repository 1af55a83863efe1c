import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useGuestLanguages } from '@/components/customers/use-guest-languages'
import { Link } from '@/components/ui/link'
import type { Blocking, SendingCheck, Warning } from '@/lib/sending-check/schema'
import classes from './check-list.module.css'

interface CheckListProps {
  check: SendingCheck
  /** The name of a campaign's message by its place; absent for an automation, which has one. */
  nameOf?: (index: number) => ReactNode
}

/** What has to be mended before a send, and what may stay; or that nothing is wrong. */
export function CheckList({ check: { blocking, warnings }, nameOf }: CheckListProps) {
  const t = useTranslations('client.sendingCheck')
  return (
    <section className={classes.check} aria-label={t('title')}>
      <h3 className={classes.title}>{t('title')}</h3>
      {blocking.length === 0 && warnings.length === 0 ? (
        <p className={classes.line} data-tone="fine">
          <IconCircleCheck size={16} aria-hidden />
          {t('fine')}
        </p>
      ) : (
        <ul>
          {blocking.map((each) => (
            <li key={`${each.code} ${each.field}`} className={classes.line} data-tone="bad">
              <IconAlertCircle size={16} aria-hidden />
              <BlockingText blocking={each} nameOf={nameOf} />
            </li>
          ))}
          {warnings.map((each) => (
            <li key={each.code} className={classes.line} data-tone="warn">
              <IconAlertTriangle size={16} aria-hidden />
              <WarningText warning={each} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function BlockingText({
  blocking: { code, field, count = 0, language },
  nameOf,
}: Pick<CheckListProps, 'nameOf'> & { blocking: Blocking }) {
  const t = useTranslations('client.sendingCheck')
  const [, index] = /^messages\.(\d+)\./.exec(field ?? '') ?? []
  const name = index === undefined ? null : nameOf?.(Number(index))
  const place = useFieldName(field)
  const spoken = useGuestLanguages().find(({ value }) => value === language)?.label
  return (
    <span>
      {name ? <strong>{name}: </strong> : null}
      {spoken ? <strong>{spoken}. </strong> : null}
      {place ? <strong>{place}. </strong> : null}
      {t(`blocking.${code}`, { count })}{' '}
      {code === 'no_postal_address' ? <Link href="/settings/general">{t('toAddress')}</Link> : null}
    </span>
  )
}

/** Where something stands, in words; null for what is no field of a message. */
function useFieldName(field = ''): string | null {
  const t = useTranslations('client.sendingCheck.fields')
  const path = field.replace(/^(messages\.\d+\.)?(versions\.\d+\.)?/, '')
  const [, block] = /^email_design\.blocks\.(\d+)/.exec(path) ?? []
  if (block !== undefined) return t('block', { place: Number(block) + 1 })
  if (path.startsWith('content_variables.')) return t('variable', { name: path.split('.')[1] ?? '' })
  if (path === 'subject' || path === 'body') return t(path)
  if (path === 'criteria.question') return t('question')
  return path.startsWith('email_design') ? t('design') : null
}

function WarningText({ warning: { code, count = 0, parts = 0, amount, until } }: { warning: Warning }) {
  const t = useTranslations('client.sendingCheck.warnings')
  const format = useFormatter()
  if (code === 'cost')
    return <span>{amount === undefined ? t('parts', { parts }) : t('cost', { parts, amount })}</span>
  if (code === 'quiet_hours')
    return (
      <span>{t('quiet_hours', { until: until ? format.dateTime(new Date(until), 'instant') : '' })}</span>
    )
  return <span>{t(code, { count })}</span>
}
