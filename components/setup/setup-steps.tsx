import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { SyncButton } from '@/components/home/sync-button'
import { LinkButton } from '@/components/ui/link-button'
import { Panel } from '@/components/ui/panel'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { SETUP_STEPS, type SetupProgress, type SetupStep } from '@/lib/setup/progress'
import { HideSteps } from './hide-steps'
import classes from './setup-steps.module.css'

/** The first steps of a group: the finished ones, and links to the others. */
export function SetupSteps({ progress }: { progress: SetupProgress }) {
  const t = useTranslations('setup.list')
  const count = SETUP_STEPS.filter((step) => progress[step]).length
  return (
    <Panel title={t('title')} aside={t('count', { count, total: SETUP_STEPS.length })}>
      <ol className={classes.steps}>
        {SETUP_STEPS.map((step) => (
          <li key={step} data-done={progress[step] || undefined}>
            {progress[step] ? (
              <IconCircleCheckFilled size={20} aria-hidden />
            ) : (
              <IconCircleDashed size={20} aria-hidden />
            )}
            <div className={classes.words}>
              <strong>{t(`${step}.title`)}</strong>
              <VisuallyHidden>{t(progress[step] ? 'done' : 'missing')}</VisuallyHidden>
              {progress[step] ? null : <p>{t(`${step}.text`)}</p>}
            </div>
            {progress[step] ? null : <StepButtons step={step} progress={progress} />}
          </li>
        ))}
      </ol>
      <HideSteps />
    </Panel>
  )
}

function StepButtons({ step, progress }: { step: SetupStep; progress: SetupProgress }) {
  const t = useTranslations('setup.list')
  return (
    <div className={classes.buttons}>
      {step === 'data' && progress.pms && progress.locations ? <SyncButton /> : null}
      <LinkButton href={hrefOf(step, progress)}>{t(`${step}.action`)}</LinkButton>
    </div>
  )
}

function hrefOf(step: SetupStep, { without_hours }: SetupProgress): string {
  switch (step) {
    case 'pms':
      return '/settings/integrations#pms'
    case 'locations':
      return '/settings/locations'
    case 'hours':
      return without_hours ? `/settings/locations/${without_hours}` : '/settings/locations'
    case 'team':
      return '/settings/team'
    case 'channels':
      return '/settings/integrations#resend'
    case 'data':
      return '/settings/import'
  }
}
