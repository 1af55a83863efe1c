'use client'
import { Button, CopyButton, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { FormActions } from '@/components/ui/form-layout'

interface ShowOnceDialogProps {
  title: string
  /** The value, which can be read and copied only now; null when the answer that had it was lost on the way. */
  value: string | null
  texts: { label: string; hint: string; lost: string; copy: string; copied: string; done: string }
  onClose: () => void
  /** The content above the value. */
  children?: ReactNode
}

/** Shows a link or a token that is shown only once. */
export function ShowOnceDialog({ title, value, texts, onClose, children }: ShowOnceDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div role="status">
        {children}
        {value === null ? (
          <p>{texts.lost}</p>
        ) : (
          <TextInput
            mt={children ? 'md' : undefined}
            label={texts.label}
            description={texts.hint}
            value={value}
            readOnly
          />
        )}
      </div>
      <FormActions>
        {value === null ? null : (
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? texts.copied : texts.copy}
              </Button>
            )}
          </CopyButton>
        )}
        <Button onClick={onClose} autoFocus>
          {texts.done}
        </Button>
      </FormActions>
    </Dialog>
  )
}
