import { useFormatter, useTranslations } from 'next-intl'
import { reasonText } from '@/components/messages/reason-text'
import { DataTable } from '@/components/ui/data-table'
import { Figure, Figures } from '@/components/ui/figures'
import { Money } from '@/components/ui/money'
import { Panel } from '@/components/ui/panel'
import type { CampaignResults } from '@/lib/campaigns/schema'
import classes from './campaigns.module.css'
import { MessageName } from './message-name'

/** Reservations and revenue credited to the campaign, named as attributed. */
export function AttributedFigures({ attributed }: { attributed: CampaignResults['attributed'] }) {
  const t = useTranslations('campaigns.attributed')
  const format = useFormatter()
  const { reservations, covers, revenue, estimated_revenue: estimated } = attributed
  return (
    <Figures>
      <Figure
        label={t('reservations')}
        value={format.number(reservations, 'grouped')}
        note={t('covers', { count: covers })}
      />
      <Figure
        label={t('revenue')}
        value={<Money value={revenue} estimate={estimated > 0} />}
        note={estimated > 0 ? t('estimated', { money: format.number(estimated, 'money') }) : t('rule')}
      />
    </Figures>
  )
}

/** What became of each message of the campaign, with the reasons of those that did not arrive. */
export function MessagesTable({ messages }: { messages: CampaignResults['messages'] }) {
  const t = useTranslations('campaigns.messages')
  const channels = useTranslations('client.campaigns.channels')
  const format = useFormatter()
  const several = messages.some(({ variant }) => variant === 'b')
  const number = (value: number) => format.number(value, 'grouped')
  return (
    <Panel title={t('title')} flush>
      <DataTable caption={t('list')}>
        <thead>
          <tr>
            <th scope="col">{t('message')}</th>
            <th scope="col" data-num>
              {t('sent')}
            </th>
            <th scope="col" data-num data-wide>
              {t('delivered')}
            </th>
            <th scope="col" data-num data-wide>
              {t('pending')}
            </th>
            <th scope="col" data-wide>
              {t('reasons')}
            </th>
          </tr>
        </thead>
        <tbody>
          {messages.map(({ id, step, variant, channel, progress, left_out, ...message }) => {
            const { pending, simulated } = progress
            // What the sandbox took went nowhere.
            const sent = progress.sent - simulated
            const delivered = sent > 0 ? message.delivered : 0
            return (
              <tr key={id}>
                <th scope="row">
                  <MessageName step={step} variant={variant} several={several} />
                  <small className={classes.line}>{channels(channel)}</small>
                  <small data-narrow>{t('narrow', { delivered, pending })}</small>
                  <div data-narrow>
                    <LeftOut left={left_out} />
                  </div>
                </th>
                <td data-num>
                  {number(sent)}
                  {simulated > 0 ? (
                    <small className={classes.line}>{t('simulated', { count: simulated })}</small>
                  ) : null}
                </td>
                <td data-num data-wide>
                  {number(delivered)}
                </td>
                <td data-num data-wide>
                  {number(pending)}
                </td>
                <td data-wide>
                  <LeftOut left={left_out} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </DataTable>
    </Panel>
  )
}

function LeftOut({ left }: { left: CampaignResults['messages'][number]['left_out'] }) {
  const t = useTranslations('campaigns.messages')
  const reasons = useTranslations('client.messageReasons')
  if (left.length === 0) return null
  return (
    <ul className={classes.hint}>
      {left.map(({ status, reason, messages }) => {
        const text = reasonText(reasons, reason)
        return (
          <li key={`${status} ${reason}`}>
            {t('reason', {
              count: messages,
              reason: status === 'unknown' ? t('unknown', { reason: text }) : text,
            })}
          </li>
        )
      })}
    </ul>
  )
}

type Test = NonNullable<CampaignResults['ab']>

/** The two versions beside each other, and what their difference says. */
export function TestResults({ test }: { test: Test }) {
  const t = useTranslations('campaigns.test')
  const format = useFormatter()
  const share = (count: number, of: number) => (of > 0 ? t('share', { share: count / of }) : t('noShare'))
  const number = (value: number) => format.number(value, 'grouped')
  const points = (value: number) =>
    format.number(value, { maximumFractionDigits: 0, signDisplay: 'exceptZero', useGrouping: 'always' })
  return (
    <Panel title={t('title')} aside={t(`by.${test.winner_by}`)}>
      <div className={classes.stack}>
        <p className={classes.strong}>
          <TestVerdict test={test} />
        </p>
        <DataTable caption={t('list')}>
          <thead>
            <tr>
              <th scope="col">{t('version')}</th>
              <th scope="col" data-num>
                {t('guests')}
              </th>
              <th scope="col" data-num>
                {t('booked')}
              </th>
              <th scope="col" data-num>
                {t('clicked')}
              </th>
            </tr>
          </thead>
          <tbody>
            {test.versions.map(({ variant, guests, booked, clicked }) => (
              <tr key={variant}>
                <th scope="row" data-nowrap>
                  {t('versionName', { version: variant.toUpperCase() })}
                </th>
                <td data-num>{number(guests)}</td>
                <td data-num>
                  {number(booked)} <small>{share(booked, guests)}</small>
                </td>
                <td data-num>
                  {clicked === null ? (
                    <small>{t('noClicks')}</small>
                  ) : (
                    <>
                      {number(clicked)} <small>{share(clicked, guests)}</small>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </DataTable>
        {test.difference ? (
          <p className={classes.hint}>
            {t('difference', {
              difference: points(test.difference.per_thousand),
              low: points(test.difference.low),
              high: points(test.difference.high),
            })}
          </p>
        ) : null}
      </div>
    </Panel>
  )
}

/** What is known about the versions, honestly: a winner by a clear difference, or only one that is ahead. */
function TestVerdict({ test }: { test: Test }) {
  const t = useTranslations('campaigns.test')
  const format = useFormatter()
  const { winner, winner_reason, known, ahead, decides_at } = test
  if (winner) return t(`won.${winner_reason ?? 'too_few'}`, { version: winner.toUpperCase() })
  if (known === 'better' && ahead) return t('now.better', { version: ahead.toUpperCase() })
  const until = decides_at ? t('decides', { when: format.dateTime(new Date(decides_at), 'instant') }) : ''
  return `${t(`now.${known === 'too_few' ? 'too_few' : 'unclear'}`)} ${until}`.trim()
}
