import { useTranslations } from 'next-intl'
import { SyncButton } from '@/components/home/sync-button'
import { LinkButton } from '@/components/ui/link-button'
import { Panel } from '@/components/ui/panel'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { isSkipped } from '@/lib/setup/progress'
import { SETUP_STEPS, type SetupProgress, type SetupStep } from '@/lib/setup/schema'
import { HideSteps } from './hide-steps'
import classes from './setup-steps.module.css'
import { StepMark, type StepState } from './step-mark'
import { hrefOf } from './steps'

/** The first steps of a group: the finished ones, and links to the others. */
export function SetupSteps({ progress }: { progress: SetupProgress }) {
  const t = useTranslations('setup.list')
  const count = SETUP_STEPS.filter((step) => progress.steps[step].done).length
  return (
    <Panel title={t('title')} aside={t('count', { count, total: SETUP_STEPS.length })}>
      <ol className={classes.steps}>
        {SETUP_STEPS.map((step) => {
          const state = stateOf(step, progress)
          return (
            <li key={step} data-state={state}>
              <StepMark state={state} />
              <div className={classes.words}>
                <strong>{t(`${step}.title`)}</strong>
                {state === 'skipped' ? <p>{t('skipped')}</p> : <VisuallyHidden>{t(state)}</VisuallyHidden>}
                {state === 'missing' ? <p>{t(`${step}.text`)}</p> : null}
              </div>
              {state === 'missing' ? <StepButtons step={step} progress={progress} /> : null}
            </li>
          )
        })}
      </ol>
      <div className={classes.foot}>
        <LinkButton href="/settings/setup">{t('all')}</LinkButton>
        <HideSteps />
      </div>
    </Panel>
  )
}

export function stateOf(step: SetupStep, progress: SetupProgress): StepState {
  if (progress.steps[step].done) return 'done'
  return isSkipped(progress, step) ? 'skipped' : 'missing'
}

function StepButtons({ step, progress }: { step: SetupStep; progress: SetupProgress }) {
  const t = useTranslations('setup.list')
  return (
    <div className={classes.buttons}>
      {step === 'data' && progress.steps.pms.done ? <SyncButton /> : null}
      <LinkButton href={hrefOf(step, progress)}>{t(`${step}.action`)}</LinkButton>
    </div>
  )
}
