import { useFormatter, useTranslations } from 'next-intl'
import { BrokenMark } from '@/components/ui/broken'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import { LinkButton } from '@/components/ui/link-button'
import type { Tier } from '@/lib/loyalty/schema'
import { newSegmentPage } from '@/lib/segments/addresses'
import { EXAMPLES, exampleTier } from '@/lib/segments/proposals'
import { conditionsOf, type Segment } from '@/lib/segments/schema'
import classes from './segments.module.css'

/** The segments that a person may read, with their authors and whether they are shared. */
export function SegmentList({ segments }: { segments: readonly Segment[] }) {
  const t = useTranslations('segments')
  const format = useFormatter()
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col" data-wide>
            {t('conditions')}
          </th>
          <th scope="col" data-wide>
            {t('uses.title')}
          </th>
          <th scope="col">{t('who')}</th>
          <th scope="col" data-wide>
            {t('owner')}
          </th>
          <th scope="col" data-wide="md">
            {t('changed')}
          </th>
        </tr>
      </thead>
      <tbody>
        {segments.map(({ id, name, shared, mine, owner_name, definition, used_by, updated_at, broken }) => (
          <tr key={id}>
            <th scope="row">
              <Link href={`/customers/segments/${id}`} prefetch={false}>
                {name}
              </Link>
              {broken ? <BrokenMark /> : null}
            </th>
            <td data-wide>{t('count', { count: conditionsOf(definition).length })}</td>
            <td data-wide>{t('uses.count', { count: used_by.total })}</td>
            <td>{t(shared ? 'shared' : mine ? 'own' : 'toApprove')}</td>
            <td data-wide>{owner_name ?? t('gone')}</td>
            <td data-wide="md">{format.dateTime(new Date(updated_at), 'instantDate')}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

/** Example segments to start from. */
export function ExampleLinks({ tiers }: { tiers: readonly Tier[] }) {
  const t = useTranslations('segments')
  const tier = exampleTier(tiers)?.name ?? ''
  return (
    <ul className={classes.examples} aria-label={t('examplesLabel')}>
      {EXAMPLES.filter((example) => example !== 'lapsed' || tier !== '').map((example) => (
        <li key={example}>
          <LinkButton
            href={newSegmentPage.href({ example, name: t(`examples.${example}`, { tier }) })}
            prefetch={false}
          >
            {t(`examples.${example}`, { tier })}
          </LinkButton>
        </li>
      ))}
    </ul>
  )
}
