'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import classes from './html-preview.module.css'

const VIEWS = { phone: 375, laptop: 700 } as const
const HEIGHT = 560

/** An e-mail as mail programs show it: on a phone or a laptop, light or dark, or as plain text. */
export function HtmlPreview({ html, text }: { html: string; text: string }) {
  const t = useTranslations('client.emailDesign.preview')
  const [view, setView] = useState<keyof typeof VIEWS | 'text'>('phone')
  const [dark, setDark] = useState(false)
  const shown = inScheme(html, dark)
  return (
    <div>
      <fieldset className={classes.views} aria-label={t('views')}>
        {(['phone', 'laptop', 'text'] as const).map((one) => (
          <Button
            key={one}
            size="xs"
            variant={view === one ? 'filled' : 'default'}
            aria-pressed={view === one}
            onClick={() => setView(one)}
          >
            {t(one)}
          </Button>
        ))}
        <Button
          size="xs"
          variant={dark ? 'filled' : 'default'}
          aria-pressed={dark}
          disabled={view === 'text'}
          onClick={() => setDark(!dark)}
        >
          {t('dark')}
        </Button>
      </fieldset>
      {view === 'text' ? (
        <pre className={classes.text}>{text}</pre>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
        <section className={classes.screen} aria-label={t(view)} tabIndex={0}>
          {/* Another e-mail is another frame: one that loads again would hold the person who goes back. */}
          <iframe
            key={shown}
            title={t('frame')}
            sandbox=""
            width={VIEWS[view]}
            height={HEIGHT}
            srcDoc={shown}
            data-scheme={dark ? 'dark' : 'light'}
          />
        </section>
      )}
    </div>
  )
}

/** The HTML in one scheme, whatever the visitor's own. Its style sheets get the page's nonce: the policy applies to them. */
function inScheme(html: string, dark: boolean): string {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
  return html
    .replaceAll('<style>', `<style nonce="${nonce}">`)
    .replaceAll('@media (prefers-color-scheme:dark)', dark ? '@media all' : '@media not all')
    .replaceAll('light dark', dark ? 'dark' : 'light')
}
