import { IconMailOff } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { InvitationActions, Invite, MemberActions } from '@/components/team/member-actions'
import { TeamTable } from '@/components/team/team-table'
import { Badge } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { Link } from '@/components/ui/link'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Panel, Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { cursorPage } from '@/lib/http/page-address'
import { listLocations } from '@/lib/locations/locations'
import { ROLES } from '@/lib/permissions'
import { invitationMailer, listInvitations } from '@/lib/team/invitations'
import { listTeam } from '@/lib/team/members'

const address = cursorPage('/settings/team')
const PAGE = 50
const INVITATIONS = 200

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings.nav')
  return { title: t('team') }
}

/** The team members and open invitations, with roles and locations. */
export default async function TeamPage({ searchParams }: PageProps<'/settings/team'>) {
  const session = await pageSessionWith('canManageTeam')
  if (!session) return <NoAccess />
  const { cursor } = address.read(await searchParams)
  const [team, invitations, mailer, locations, t, roleNames, format] = await Promise.all([
    fromCursor(cursor, (after) => listTeam(session, { cursor: after, limit: PAGE })),
    listInvitations(session, { limit: INVITATIONS }),
    invitationMailer(session),
    listLocations(session),
    getTranslations('settings.team'),
    getTranslations('roles'),
    getFormatter(),
  ])
  const now = new Date()
  const isSuper = session.role === 'super_admin'
  // Only a super_admin creates, changes or removes a super_admin.
  const mayTouch = (role: string | null) => isSuper || role !== 'super_admin'
  const choices = {
    roles: ROLES.filter(mayTouch).map((role) => ({
      value: role,
      label: roleNames(role),
      text: t(`allows.${role}`),
    })),
    locations: locations.map(({ id, name }) => ({ value: id, label: name })),
  }
  const names = new Map(locations.map(({ id, name }) => [id, name]))
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('subtitle')}>
        <Invite {...choices} />
      </PageHeader>
      <Panels>
        <Panel title={t('members')} flush hideTitle>
          <TeamTable
            caption={t('members')}
            rows={team.data}
            locations={names}
            end={(member) =>
              member.id === session.user_id ? (
                <Badge tone="accent">{t('you')}</Badge>
              ) : mayTouch(member.role) ? (
                <MemberActions member={member} {...choices} />
              ) : null
            }
          />
          <Pager
            label={t('pages')}
            path={cursor}
            next={team.next_cursor}
            hrefAt={(path) => address.href({ cursor: path })}
            texts={{ first: t('firstPage'), next: t('nextPage') }}
          />
        </Panel>
        <Panel
          title={t('invitations')}
          flush
          aside={
            mailer === 'no_provider' && invitations.data.length > 0 ? (
              <Link href="/settings/integrations">{t('connectMail')}</Link>
            ) : null
          }
        >
          {invitations.data.length > 0 ? (
            <TeamTable
              caption={t('invitations')}
              rows={invitations.data}
              locations={names}
              note={({ expires_at, mail }) =>
                new Date(expires_at) > now ? (
                  <>
                    {t('validUntil', { at: format.dateTime(new Date(expires_at), 'instant') })}
                    {mail === null ? null : ` · ${t(`mail.${mail}`)}`}
                  </>
                ) : (
                  <Badge tone="amber">{t('expired')}</Badge>
                )
              }
              end={({ id, email, role, mail }) =>
                mayTouch(role) ? (
                  <InvitationActions
                    id={id}
                    email={email}
                    role={roleNames(role)}
                    unsent={mailer === 'ready' && mail !== 'sent'}
                  />
                ) : null
              }
            />
          ) : (
            <EmptyState icon={IconMailOff} title={t('noInvitations')} text={t('noInvitationsText')} />
          )}
        </Panel>
      </Panels>
    </>
  )
}
