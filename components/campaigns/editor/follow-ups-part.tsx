'use client'
import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useLocale, useTranslations } from 'next-intl'
import { MessageFields } from '@/components/automations/editor/message-step'
import { fieldId } from '@/components/automations/editor/problems'
import { ChannelFields, Step } from '@/components/automations/editor/steps'
import { NumberField } from '@/components/forms/number-field'
import { readNumber } from '@/components/forms/numbers'
import { FormFields } from '@/components/ui/form-layout'
import { MAX_STEPS } from '@/lib/campaigns/limits'
import type { ChannelTroubles } from '@/lib/messaging/providers'
import { type EmailSurroundings, type FollowUp, messagePaths, type PartProps } from './draft'
import classes from './editor.module.css'

interface FollowUpsPartProps extends PartProps {
  troubles: ChannelTroubles
  email: EmailSurroundings
  /** Days in which a guest gets one marketing message at most; 0: no limit. */
  capDays: number
}

/** The messages that follow some days later, to those who have not booked. */
export function FollowUpsPart({ draft, change, errorAt, troubles, email, capDays }: FollowUpsPartProps) {
  const t = useTranslations('client.campaignEditor')
  const locale = useLocale()
  const { followUps } = draft
  const patch = (key: number, changes: Partial<FollowUp>) =>
    change({ followUps: followUps.map((one) => (one.key === key ? { ...one, ...changes } : one)) })
  const add = () => {
    const key = Math.max(0, ...followUps.map((one) => one.key)) + 1
    const { channel, fallback } = draft.first
    const empty = {
      channel,
      fallback,
      subject: '',
      body: '',
      emailDesign: null,
      versions: [],
      contentSid: '',
      variables: [],
    }
    change({ followUps: [...followUps, { ...empty, key, afterDays: '5' }] })
  }
  return (
    <Step number={4} title={t('parts.followUps')}>
      <p className={classes.hint}>{t('followUps.hint')}</p>
      {followUps.map((one, index) => {
        const at = messagePaths(draft).followUp(index)
        const fields = {
          message: one,
          change: (changes: Partial<FollowUp>) => patch(one.key, changes),
          errorAt,
          at,
        }
        return (
          <fieldset key={one.key} className={classes.followUp}>
            <legend>{t('followUps.title', { number: index + 1 })}</legend>
            <FormFields>
              <div className={classes.head}>
                <NumberField
                  id={fieldId(`${at}after_days`)}
                  label={t(index === 0 ? 'followUps.afterFirst' : 'followUps.after')}
                  value={one.afterDays}
                  onChange={(afterDays) => patch(one.key, { afterDays })}
                  error={errorAt(`${at}after_days`)}
                />
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconTrash size={14} aria-hidden />}
                  aria-label={t('followUps.removeOne', { number: index + 1 })}
                  onClick={() => change({ followUps: followUps.filter(({ key }) => key !== one.key) })}
                >
                  {t('followUps.remove')}
                </Button>
              </div>
              {(readNumber(one.afterDays, locale) ?? Number.POSITIVE_INFINITY) < capDays ? (
                <p role="status" className={classes.warning}>
                  {t('followUps.cap', { days: capDays })}
                </p>
              ) : null}
              <ChannelFields {...fields} troubles={troubles} />
              <MessageFields {...fields} {...email} sample={null} guests={null} type="campaign" />
            </FormFields>
          </fieldset>
        )
      })}
      {followUps.length < MAX_STEPS - 1 ? (
        <div>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            {t('followUps.add')}
          </Button>
        </div>
      ) : null}
    </Step>
  )
}
