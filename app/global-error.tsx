'use client'
import './globals.css'
import en from '@/lib/i18n/en/client/error.json'
import es from '@/lib/i18n/es/client/error.json'
import classes from './global-error.module.css'

/** The document itself could not be made: nothing is known of the visitor, so it says it in both languages. */
export default function GlobalError() {
  return (
    <html lang="es">
      <body>
        <title>{es.title}</title>
        <main className={classes.page}>
          {[es, en].map((texts, at) => (
            <section key={texts.title} lang={at === 0 ? 'es' : 'en'}>
              <h1>{texts.title}</h1>
              <p>{texts.text}</p>
              <button type="button" onClick={() => window.location.reload()}>
                {texts.retry}
              </button>
            </section>
          ))}
        </main>
      </body>
    </html>
  )
}
