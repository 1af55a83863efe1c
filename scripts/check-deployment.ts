// `npm run check:deployment -- https://crm.example`: checks a deployment from outside and by its own report, and says what
// is wrong and what to do, in the language of LANG (English, or Spanish for es_…). Ends with 1 when something is wrong.
// CRON_SECRET as in the deployment, from .env.local or .env. Sends no message, changes nothing, prints no secret.
import { existsSync } from 'node:fs'
import { createTranslator } from 'next-intl'
import type { Line } from '../lib/deployment/lines'
import { wordsOf } from '../lib/deployment/words'
import { en } from '../lib/i18n/en'
import { es } from '../lib/i18n/es'
import { checkFromOutside } from './deployment/outside'

for (const file of ['.env.local', '.env']) if (existsSync(file)) process.loadEnvFile(file)

const [url = ''] = process.argv.slice(2)
if (!URL.canParse(url)) {
  console.error('Usage: npm run check:deployment -- https://crm.example')
  process.exit(2)
}
const lines = await checkFromOutside({
  url: url.replace(/\/+$/, ''),
  cronSecret: process.env.CRON_SECRET?.trim() ?? '',
})
print(lines)
process.exitCode = lines.some(({ state }) => state === 'wrong') ? 1 : 0

function print(all: readonly Line[]): void {
  const isSpanish = /^es/i.test(process.env.LC_ALL || process.env.LANG || '')
  const [locale, messages] = isSpanish ? (['es', es] as const) : (['en', en] as const)
  const t = createTranslator({ locale, namespace: 'installation', messages })
  const services = createTranslator({ locale, namespace: 'client.integrations', messages })
  for (const line of all) {
    const { title, found, todo } = wordsOf(line, t, services)
    console.log(`[${t(`states.${line.state}`)}] ${title}: ${found}`)
    if (todo !== null) console.log(`    → ${todo}`)
  }
  const count = (state: Line['state']) => all.filter((line) => line.state === state).length
  console.log(t('summary', { wrong: count('wrong'), unknown: count('unknown') }))
}
