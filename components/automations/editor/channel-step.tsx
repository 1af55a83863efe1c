'use client'
import { NativeSelect } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { FormRow } from '@/components/ui/form-layout'
import type { ChannelTroubles } from '@/lib/messaging/channel-troubles'
import { CHANNELS, type Channel } from '@/lib/messaging/channels'
import type { StepProps } from './editor'
import { Step } from './step'
import { fieldId } from './use-problems'
import classes from './whom-step.module.css'

/** By which channel it goes, and by which one otherwise; `troubles` say why nothing would arrive by one. */
export function ChannelStep({ draft, change, errorAt, troubles }: StepProps & { troubles: ChannelTroubles }) {
  const t = useTranslations('client.automationEditor')
  const names = useTranslations('client.automations.channels')
  const { channel, fallback } = draft
  const options = (channels: readonly Channel[]) =>
    channels.map((value) => ({ value: value as string, label: names(value) }))
  const dry = CHANNELS.filter((one) => one === channel || one === fallback)
  return (
    <Step number={3} title={t('steps.channel')}>
      <FormRow>
        <NativeSelect
          id={fieldId('channel')}
          label={t('channel')}
          data={options(['email', 'sms', 'whatsapp'])}
          value={channel}
          onChange={(event) => {
            const next = event.currentTarget.value as Channel
            change({ channel: next, ...(next === fallback ? { fallback: '' } : {}) })
          }}
        />
        <NativeSelect
          id={fieldId('fallback_channel')}
          label={t('fallback')}
          data={[
            { value: '', label: t('noFallback') },
            ...options(CHANNELS.filter((one) => one !== channel)),
          ]}
          value={fallback}
          onChange={(event) => change({ fallback: event.currentTarget.value as Channel | '' })}
          error={errorAt('fallback_channel')}
        />
      </FormRow>
      {dry.map((one) => {
        const trouble = troubles[one]
        if (!trouble || (trouble === 'no_app_url' && draft.type === 'reservation_confirmation')) return null
        return (
          <p key={one} className={classes.hint}>
            {t(`troubles.${trouble}`, { channel: names(one) })}
          </p>
        )
      })}
    </Step>
  )
}
