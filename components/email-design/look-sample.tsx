import { useTranslations } from 'next-intl'
import { contrast, isColor, readableOn, textOn, USUAL_COLOR } from '@/lib/email-design/look'
import classes from './look-sample.module.css'

interface LookSampleProps {
  /** Whose e-mail: the region's name, of which a page has several. */
  of: string
  color: string
  button: string
  logo: string | null
  sender: string
  footer: string
}

/** The beginning of an e-mail in a look; what is no colour is as usual. */
export function LookSample({ of, color, button, logo, sender, footer }: LookSampleProps) {
  const t = useTranslations('client.emailDesign.look')
  const main = isColor(color) ? color : USUAL_COLOR
  const filled = isColor(button) ? button : main
  const words = textOn(filled)
  return (
    <section
      aria-label={t('sample', { name: of })}
      className={classes.sample}
      style={{ borderTopColor: main }}
    >
      {logo ? (
        // biome-ignore lint/performance/noImgElement: from Storage, as in the e-mail.
        <img src={logo} alt={sender} className={classes.logo} />
      ) : (
        <p className={classes.sender} style={{ color: readableOn(main, '#ffffff') }}>
          {sender}
        </p>
      )}
      <p>{t('sampleText')}</p>
      <p className={classes.button} style={{ backgroundColor: filled, color: words }}>
        {t('sampleButton')}
      </p>
      <p className={classes.small}>
        {footer ? `${footer} · ` : ''}
        {t('contrast', { ratio: Math.round(contrast(filled, words) * 10) / 10 })}
      </p>
    </section>
  )
}
