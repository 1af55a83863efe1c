import { addDays, instantAt, localDate } from '@/lib/dates'
import type { Service } from './service-client'

const ZONE = 'Europe/Madrid'
/** Only guests whose 30 days are over count: the runs that the comparison rests on. */
const RUNS = [34, 37, 40, 43, 46, 49, 52, 55, 58]

/** When something happened at a time of day (`HH:mm`) some days ago. */
export const daysAgoAt = (days: number, time: string): Date =>
  instantAt(`${addDays(localDate(new Date(), ZONE), -days)}T${time}`, ZONE)

/**
 * Runs the automation after a visit as on past days, through its own plan: that alone draws a control group, so that
 * the comparison has figures.
 */
export async function seedControlGroup(db: Service, organization_id: string): Promise<void> {
  const found = await db
    .from('automations')
    .select('id')
    .match({ organization_id, type: 'post_visit' })
    .single()
    .throwOnError()
  for (const days of RUNS) {
    const at = daysAgoAt(days, '12:15')
    const run = await db
      .rpc('enqueue_run', {
        p_organization: organization_id,
        p_automation: found.data.id,
        p_triggered_by: 'schedule',
        p_now: at.toISOString(),
      })
      .throwOnError()
    const { run_id } = run.data as { run_id: string }
    await deliver(db, run_id, at, 'Gracias por venir. ¿Cómo lo pasaste?')
  }
}

/** Marks what a run of a past day has queued as delivered by the provider a minute after it began. */
export async function deliver(
  db: Service,
  run_id: string,
  at: Date,
  body: string,
  provider = 'sandbox',
): Promise<void> {
  const sent = new Date(at.getTime() + 60_000).toISOString()
  await db
    .from('messages')
    .update({
      status: 'delivered',
      content: { body },
      provider,
      attempts: 1,
      sent_at: sent,
      delivered_at: sent,
    })
    .match({ run_id, status: 'queued' })
    .throwOnError()
  // The plan of a past day takes later messages for those that fill the cap.
  await db.from('messages').update({ detail: null }).match({ run_id, status: 'skipped' }).throwOnError()
  await db
    .from('automation_runs')
    .update({ status: 'finished', finished_at: sent })
    .match({ id: run_id })
    .gt('processed', 0)
    .throwOnError()
}
