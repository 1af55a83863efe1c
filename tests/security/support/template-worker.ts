// Renders templates in a process of its own, which tests/security/templates.test.ts weighs.
import { renderTemplates } from '@/lib/messaging/template'
import { weighAnswers } from './peak-memory'

weighAnswers(async ({ body }: { body: string }) => {
  const [texts] = await renderTemplates('people', [{ texts: [body], variables: { first_name: 'Ana' } }])
  return texts instanceof Error ? texts.message : String(texts)
})
