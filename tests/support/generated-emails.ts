import { plainHtml } from '@/lib/email-design/content'
import { renderDesign, withUnsubscribe } from '@/lib/email-design/render'
import { type EmailDesign, textsOfDesign } from '@/lib/email-design/schema'
import { closeGaps, withoutGaps } from '@/lib/messaging/gaps'
import { renderTemplates } from '@/lib/messaging/template'
import { variablesOf } from '@/lib/messaging/variables'
import { type Draw, drawDesign, drawer, drawLook, knownPhrase, NAMES, pick } from './drawn-emails'

export const POSTAL_ADDRESS = 'Grupo Norte, S. L.\nCalle Mayor 1\n28001 Madrid'
export const UNSUBSCRIBE = 'https://crm.example/u/'

/** So many marketing e-mails as HTML, in looks of every colour: designed ones, plain ones, and texts without HTML. */
export async function generatedEmails(count: number, seed = 7): Promise<string[]> {
  const draw = drawer(seed)
  const htmls: string[] = []
  // A guest about whom a template says nothing gets none.
  while (htmls.length < count) {
    const drawn = Array.from({ length: 200 }, () => ({
      design: drawAnyDesign(draw),
      variables: variablesOf({ facts: drawFacts(draw) }),
      look: drawLook(draw),
    }))
    const items = drawn.map(({ design, variables }) => ({
      texts: textsOfDesign(design).map(({ text }) => text),
      variables,
    }))
    for (const [at, texts] of (await renderTemplates('outbox', items)).entries()) {
      const one = drawn[at]
      if (!one || texts instanceof Error) continue
      const html = await htmlOf(one, texts, at)
      htmls.push(withUnsubscribe(html, `${UNSUBSCRIBE}${htmls.length}`))
    }
  }
  return htmls.slice(0, count)
}

async function htmlOf(
  { design, look }: { design: EmailDesign; look: ReturnType<typeof drawLook> },
  rendered: string[],
  at: number,
): Promise<string> {
  const texts = textsOfDesign(design).map(({ isLink }, place) => {
    const text = rendered[place] ?? ''
    return isLink ? withoutGaps(text) : (closeGaps([text])[0] ?? '')
  })
  if (at % 10 === 0) return plainHtml(`${texts.join('\n')}\n\n${POSTAL_ADDRESS}`, 'Casa Lumbre')
  const sender = look.sender_name ?? 'Grupo Norte'
  const images = 'https://files.example/'
  return (await renderDesign({ design, texts, look, sender, address: POSTAL_ADDRESS, images })).html
}

function drawAnyDesign(draw: Draw): EmailDesign {
  const body = knownPhrase(draw, 5)
  const design = drawDesign(draw, body)
  return draw(4) === 0 ? { preheader: '', blocks: design.blocks.slice(0, 1) } : design
}

const drawFacts = (draw: Draw) => ({
  organization_name: 'Grupo Norte',
  first_name: pick(draw, NAMES),
  last_name: pick(draw, NAMES),
  birth_date: null,
  total_visits: 3,
  last_visit: pick(draw, [null, '2026-11-01']),
  tier: pick(draw, [null, 'Oro']),
  location_name: pick(draw, [null, 'Madrid']),
  reservation_date: null,
  reservation_time: null,
  party_size: null,
})
