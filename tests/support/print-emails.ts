// For tests/e2e/email-html.spec.ts, in a process of its own.
import { generatedEmails } from './generated-emails'

const seed = process.env.EMAILS_SEED ? Number(process.env.EMAILS_SEED) : undefined
process.stdout.write(JSON.stringify(await generatedEmails(Number(process.env.EMAILS), seed)), () =>
  process.exit(),
)
