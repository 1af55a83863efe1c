'use client'
import { Button, CopyButton, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { FormActions } from '@/components/ui/form-layout'

interface ShowOnceDialogProps {
  title: string
  /** The value, which can be read and copied only now. */
  value: string
  texts: { label: string; hint: string; copy: string; copied: string; done: string }
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
        <TextInput
          mt={children ? 'md' : undefined}
          label={texts.label}
          description={texts.hint}
          value={value}
          readOnly
        />
      </div>
      <FormActions>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? texts.copied : texts.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose} autoFocus>
          {texts.done}
        </Button>
      </FormActions>
    </Dialog>
  )
}
