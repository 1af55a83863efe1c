'use client'
import { Button, CopyButton, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { FormActions } from '@/components/ui/form-layout'

interface ShowOnceDialogProps {
  title: string
  /** What can be read and copied now, and never again. */
  value: string
  texts: { label: string; hint: string; copy: string; copied: string; done: string }
  onClose: () => void
  /** Stands above the value. */
  children?: ReactNode
}

/** Shows a link or a token the only time. */
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
