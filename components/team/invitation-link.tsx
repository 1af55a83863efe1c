'use client'
import { Button, CopyButton, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { Dialog } from '@/components/ui/dialog'
import { FormActions } from '@/components/ui/form-layout'
import type { InvitationLink } from '@/lib/team/schema'

/** The link of an invitation, the only time it is shown, and what became of the mail with it. */
export default function InvitationLinkDialog({
  title,
  link,
  onClose,
}: {
  title: string
  link: Pick<InvitationLink, 'email' | 'url' | 'mail'>
  onClose: () => void
}) {
  const t = useTranslations('client.team')
  return (
    <Dialog title={title} onClose={onClose}>
      <div role="status">
        <p>{t(`mail.${link.mail}`, { email: link.email })}</p>
        <TextInput mt="md" label={t('link')} description={t('linkOnce')} value={link.url} readOnly />
      </div>
      <FormActions>
        <CopyButton value={link.url}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose} autoFocus>
          {t('done')}
        </Button>
      </FormActions>
    </Dialog>
  )
}
