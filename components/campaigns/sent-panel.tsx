import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { ClientTexts } from '@/components/ui/client-texts'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import type { SentMessage } from '@/lib/campaigns/outcomes-schema'
import type { Campaign } from '@/lib/campaigns/schema'
import { renderSent } from '@/lib/campaigns/sent'
import { HttpError } from '@/lib/http/errors'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import classes from './campaigns.module.css'
import { MessageName } from './message-name'
import { SentEmail } from './sent-email'

/** Each message of the campaign as it was sent, to an example guest. */
export async function SentPanel({ session, campaign }: { session: Session; campaign: Campaign }) {
  // Each message, and after it what it says in further languages.
  const texts = campaign.messages.flatMap(({ id, step, variant, versions }) =>
    [undefined, ...versions.map(({ language }) => language)].map((language) => ({
      ...{ id, step, variant, language },
    })),
  )
  const [t, names, found] = await Promise.all([
    getTranslations('campaigns.sent'),
    getTranslations('client.guestLanguages'),
    Promise.all(texts.map((text) => read(session, campaign, text))),
  ])
  const several = campaign.messages.some(({ variant }) => variant === 'b')
  return (
    <Panel title={t('title')}>
      <ClientTexts features={['campaigns', 'emailDesign']}>
        <div className={classes.stack}>
          <p className={classes.hint}>{t('explain')}</p>
          {found.map((message, at) => {
            const { step = 1, variant = 'a', id, language } = texts[at] ?? {}
            return (
              <details key={`${id} ${language}`} open={at === 0}>
                <summary className={classes.strong}>
                  <MessageName step={step} variant={variant} several={several} />
                  {language ? ` · ${names(language)}` : null}
                </summary>
                {message ? <Sent message={message} /> : <p className={classes.problem}>{t('unreadable')}</p>}
              </details>
            )
          })}
        </div>
      </ClientTexts>
    </Panel>
  )
}

/** Null where the message cannot be rendered any more. */
async function read(
  session: Session,
  campaign: Campaign,
  text: Pick<SentMessage, 'step' | 'variant'> & { language: GuestLanguage | undefined },
): Promise<SentMessage | null> {
  try {
    return await renderSent(session, campaign, text)
  } catch (error) {
    if (error instanceof HttpError) return null
    throw error
  }
}

function Sent({
  message: { subject, html, text, content_sid, content_variables },
}: {
  message: SentMessage
}) {
  const t = useTranslations('campaigns.sent')
  return (
    <div className={classes.stack}>
      {subject === null ? null : <p className={classes.address}>{t('subject', { subject })}</p>}
      {html ? <SentEmail html={html} text={text ?? ''} /> : null}
      {html || text === null ? null : <p className={classes.text}>{text}</p>}
      {content_sid ? (
        <p className={classes.text}>
          {[t('template', { sid: content_sid }), ...Object.values(content_variables)].join('\n')}
        </p>
      ) : null}
    </div>
  )
}
