import { share, whole } from './chance'
import type { Service } from './service-client'

const HOUR_MS = 3_600_000
const OPENED = 0.44
const CLICKED = 0.12
const LEFT = 0.004
/** As many rows as the API gives, and takes by their ids, at once. */
const PAGE_ROWS = 500

/** What guests did with the e-mails of a sent campaign, as Resend would have reported it: opened, clicked, opted out. */
export async function engage(
  db: Service,
  organization_id: string,
  campaign_id: string,
  at: Date,
): Promise<void> {
  for (let from = 0; ; from += PAGE_ROWS) {
    const { data: sent } = await db
      .from('messages')
      .select('id, customers!inner(email), automations!inner()')
      .eq('automations.campaign_id', campaign_id)
      .eq('status', 'delivered')
      .order('id')
      .range(from, from + PAGE_ROWS - 1)
      .throwOnError()
    const people = sent.map(({ id, customers }) => ({ id, email: customers.email ?? id }))
    const later = (email: string, what: string) =>
      new Date(at.getTime() + whole(email, what, 1, 40) * HOUR_MS).toISOString()
    const opened = people.filter(({ email }) => share(email, 'opened') < OPENED)
    const clicked = opened.filter(({ email }) => share(email, 'clicked') < CLICKED / OPENED)
    const acts = [
      ...opened.map(({ id, email }) => ({ id, email, kind: 'open', link: '' })),
      ...clicked.map(({ id, email }) => ({
        ...{ id, email, kind: 'click' },
        link: `https://grupoalborada.example/${share(email, 'link') < 0.7 ? 'reservar' : 'trufa'}`,
      })),
    ].map(({ id, email, ...act }) => ({
      ...{ message_id: id, ...act, actor: 'person', times: 1 },
      first_at: later(email, act.kind),
    }))
    if (acts.length > 0) await db.from('message_engagement').insert(acts).throwOnError()
    for (const { id, email } of clicked.filter((one) => share(one.email, 'left') < LEFT / CLICKED)) {
      await db.from('messages').update({ recipient: email }).eq('id', id).throwOnError()
      const link = { p_organization: organization_id, p_channel: 'email', p_addresses: [email] }
      await db.rpc('change_subscription', { ...link, p_message: id }).throwOnError()
    }
    if (sent.length < PAGE_ROWS) return
  }
}
