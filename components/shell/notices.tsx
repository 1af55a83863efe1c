import type { NoticeLinks } from '@/components/notices/lines'
import { NoticeBell } from '@/components/notices/notice-bell'
import type { Session } from '@/lib/auth/session'
import { log } from '@/lib/log'
import { myNotices } from '@/lib/notices/my-notices'
import { SECTIONS } from './sections'

/** The header's bell. Its count comes with the page, and its failure is no reason to show none. */
export async function NoticesOf({ session }: { session: Session }) {
  const initial = await myNotices(session).catch((err: unknown) => {
    log().error({ err }, 'notices failed')
    return null
  })
  return <NoticeBell initial={initial} links={linksFor(session)} />
}

function linksFor({ can }: Pick<Session, 'can'>): NoticeLinks {
  const section = (path: string) =>
    SECTIONS.find(({ href, permission }) => href === path && (!permission || can(permission)))?.href ?? null
  return {
    sync: can('canViewSettings') ? '/settings/jobs' : '/',
    automations: section('/automations'),
    tickets: section('/tickets'),
  }
}
