import { useFormatter, useTranslations } from 'next-intl'
import { BarRows } from '@/components/ui/bar-rows'
import { Figure, Figures } from '@/components/ui/figures'
import { Panel } from '@/components/ui/panel'
import type { AutomationResults } from '@/lib/automations/schema'
import classes from './results-panel.module.css'

/** Opens and clicks of an automation's e-mails by persons, and the links clicked; nothing without e-mails. */
export function EngagementPanel({ messages, links }: Pick<AutomationResults, 'messages' | 'links'>) {
  const t = useTranslations('automations.results')
  const format = useFormatter()
  const { emails, opened, maybe_opened: maybe, clicked } = messages
  if (emails === 0) return null
  const rows = links.map(({ link, clicked: count }) => ({ id: link, label: nameOf(link), values: [count] }))
  return (
    <>
      <Figures>
        <Figure
          label={t('opened')}
          value={t('openedValue', { count: opened })}
          note={t('openedNote', { maybe: maybe - opened })}
        />
        <Figure
          label={t('clicked')}
          value={format.number(clicked)}
          note={t('clickedNote', { share: clicked / emails })}
        />
      </Figures>
      <Panel title={t('links')}>
        {rows.length > 0 ? (
          <>
            <BarRows
              rows={rows}
              series={[{ label: t('linkClicked'), color: 'var(--ink)' }]}
              format={(count) => format.number(count)}
              scale="count"
            />
            <div className={classes.hidden}>
              <table>
                <caption>{t('links')}</caption>
                <thead>
                  <tr>
                    <th scope="col">{t('link')}</th>
                    <th scope="col">{t('linkClicked')}</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(({ id, label, values }) => (
                    <tr key={id}>
                      <th scope="row">{label}</th>
                      <td>{format.number(values[0] ?? 0)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        ) : (
          <p>{t('noClicks')}</p>
        )}
        <p className={classes.explain}>{t('engagementExplain')}</p>
      </Panel>
    </>
  )

  function nameOf(link: string): string {
    if (link === 'unsubscribe') return t('unsubscribeLink')
    return link === 'feedback' ? t('feedbackLink') : link.replace(/^https?:\/\//, '')
  }
}
