import { useFormatter, useTranslations } from 'next-intl'
import { SyncButton } from '@/components/home/sync-button'
import { ConnectionTest } from '@/components/integrations/connection-test'
import { useServiceName } from '@/components/integrations/service-name'
import { TestMail } from '@/components/integrations/test-mail'
import { LinkButton } from '@/components/ui/link-button'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { isTestReason } from '@/lib/integrations/schema'
import {
  OPTIONAL_STEPS,
  type OptionalStep,
  SETUP_STEPS,
  type SetupEntries,
  type SetupStep,
} from '@/lib/setup/schema'
import classes from './setup-list.module.css'
import { stateOf } from './setup-steps'
import { SkipStep } from './skip-step'
import { StepMark } from './step-mark'
import { hrefOf, isTested, TEST_OF } from './steps'
import { Webhooks } from './webhooks'

interface SetupListProps {
  progress: SetupEntries
  /** Where the providers reach the app, without a path. */
  origin: string
}

/** Every step of the set-up: what is done, when and by whom; what is open, with what does it. */
export function SetupList({ progress, origin }: SetupListProps) {
  const t = useTranslations('setup')
  return (
    <ol className={classes.list} aria-label={t('page.steps')}>
      {SETUP_STEPS.map((step) => {
        const state = stateOf(step, progress)
        return (
          <li key={step} id={step} data-state={state}>
            <StepMark state={state} />
            <div className={classes.step}>
              <h2>{t(`list.${step}.title`)}</h2>
              <StateLine step={step} progress={progress} />
              {state === 'missing' ? <p>{t(`list.${step}.text`)}</p> : null}
              <Buttons step={step} progress={progress} />
              {step === 'webhooks' ? <Webhooks progress={progress} origin={origin} /> : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

interface StepProps {
  step: SetupStep
  progress: SetupEntries
}

/** When and by whom a step was done or put off; what its last test said. */
function StateLine({ step, progress }: StepProps) {
  const t = useTranslations('setup')
  const format = useFormatter()
  const on = (at: string) => format.dateTime(new Date(at), 'instant')
  const state = stateOf(step, progress)
  const { at, by } = progress.steps[step]
  if (state === 'done') {
    if (at === null) return <p className={classes.done}>{t('page.doneSome')}</p>
    const key = `${isTested(step) ? 'tested' : 'done'}${by === null ? 'At' : 'By'}` as const
    return <p className={classes.done}>{t(`page.${key}`, { at: on(at), by: by ?? '' })}</p>
  }
  if (state === 'skipped') {
    const put = progress.skipped[step as OptionalStep]
    const when = put?.at ? on(put.at) : ''
    return <p>{t(put?.by ? 'page.skippedBy' : 'page.skippedAt', { at: when, by: put?.by ?? '' })}</p>
  }
  return (
    <>
      <VisuallyHidden>{t('list.missing')}</VisuallyHidden>
      <TestLine step={step} progress={progress} />
    </>
  )
}

/** Why a test leaves the step open; nothing where there was none. */
function TestLine({ step, progress }: StepProps) {
  const t = useTranslations('setup.page')
  const reasons = useTranslations('client.integrations.test.reasons')
  const serviceOf = useServiceName()
  const format = useFormatter()
  if (!isTested(step)) return null
  const { tests, synced_locations } = progress
  // A connection that failed after the test mail went out opens the step of e-mail, too.
  const test = step === 'email' && tests.resend?.reason ? tests.resend : tests[TEST_OF[step]]
  if (!test) return null
  if (test.reason === null) {
    const key = step === 'pms' && synced_locations === 0 ? 'testNoLocation' : 'testOff'
    return <p className={classes.failed}>{t(key)}</p>
  }
  const type = step === 'pms' ? 'pms' : step === 'email' ? 'resend' : 'twilio'
  return (
    <p className={classes.failed}>
      {t('testFailed', { at: test.at ? format.dateTime(new Date(test.at), 'instant') : '' })}{' '}
      {reasons(isTestReason(test.reason) ? test.reason : 'http_status', serviceOf(type))}
    </p>
  )
}

function Buttons({ step, progress }: StepProps) {
  const t = useTranslations('setup.list')
  const state = stateOf(step, progress)
  const optional = OPTIONAL_STEPS.find((one) => one === step)
  return (
    <div className={classes.buttons}>
      {step === 'webhooks' || state === 'skipped' ? null : (
        <LinkButton href={hrefOf(step, progress)}>{t(`${step}.action`)}</LinkButton>
      )}
      {state === 'skipped' ? null : <StepTest step={step} progress={progress} />}
      {step === 'data' && progress.steps.pms.done ? <SyncButton /> : null}
      {optional && state !== 'done' ? (
        <SkipStep step={optional} title={t(`${step}.title`)} skipped={state === 'skipped'} />
      ) : null}
    </div>
  )
}

/** The test of a step: it works with what is saved, so it stands here once something is. */
function StepTest({ step, progress }: StepProps) {
  const { tests } = progress
  if (step === 'email') return (tests.resend ?? tests.mail) ? <TestMail /> : null
  if (!isTested(step) || !tests[TEST_OF[step]]) return null
  return <ConnectionTest type={TEST_OF[step]} typed={null} />
}
