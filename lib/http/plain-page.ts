import 'server-only'
import type { Locale } from '@/lib/i18n/locales'

const STYLE = `
  :root { color-scheme: light dark }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0;
    font: 1rem/1.5 system-ui, sans-serif; text-align: center; overflow-wrap: anywhere }
  main { max-width: 36rem; padding: 1.5rem }
  ul { padding: 0; list-style: none }
  code { font-size: 0.9375em }`

interface PlainPage {
  locale: Locale
  title: string
  /** HTML of our own: what comes from elsewhere has to be escaped. */
  content: string
  /** Of the page's policy. */
  nonce: string
  headers: Record<string, string>
}

/** A 503 in place of a page, which needs neither Auth nor the database, and no script. */
export function plainPage({ locale, title, content, nonce, headers }: PlainPage): Response {
  const html = `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return new Response(html, {
    status: 503,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  })
}
