'use client'
import { ActionIcon } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useState } from 'react'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { readableOn, USUAL_COLOR } from '@/lib/email-design/look'
import type { BrandLook } from '@/lib/email-design/records'
import type { EmailDesign } from '@/lib/email-design/schema'
import { Blocks } from './block-list'
import { BLOCK_TYPES } from './blocks'
import classes from './design-editor.module.css'
import { Templates } from './templates'
import { useHistory } from './use-history'
import { type VariableChoice, Words } from './variables'

interface DesignEditorProps {
  value: EmailDesign
  onChange: (design: EmailDesign) => void
  /** What texts may insert. */
  variables: readonly VariableChoice[]
  /** The look of the brand that sends it. */
  look: BrandLook
  /** The address of stored images, without their path. */
  imageBase: string
  disabled?: boolean
  /** The message at a part of the design with a problem: its path within it, such as `blocks.0`. */
  errorAt?: (path: string) => string | undefined
}

/** Edits an e-mail as blocks, in place, in the look of its brand; with undo, redo and templates. */
export default function DesignEditor({
  value,
  onChange,
  variables,
  look,
  imageBase,
  disabled = false,
  errorAt,
}: DesignEditorProps) {
  const t = useTranslations('client.emailDesign')
  const history = useHistory(value, onChange)
  const [said, announce] = useState('')
  const color = look.color ?? USUAL_COLOR
  const errorOf = (id: string) => errorAt?.(`blocks.${value.blocks.findIndex((block) => block.id === id)}`)

  function pressed(event: KeyboardEvent) {
    const key = event.key.toLowerCase()
    if (disabled || !(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
    event.preventDefault()
    if (key === 'y' || event.shiftKey) history.redo()
    else history.undo()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of undo and redo, which its buttons have too.
    <div className={classes.editor} onKeyDown={pressed}>
      {disabled ? null : (
        <div className={classes.tools}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('undo')}
            title={t('undo')}
            disabled={!history.canUndo}
            onClick={history.undo}
          >
            <IconArrowBackUp size={17} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('redo')}
            title={t('redo')}
            disabled={!history.canRedo}
            onClick={history.redo}
          >
            <IconArrowForwardUp size={17} aria-hidden />
          </ActionIcon>
          <Templates design={value} onChoose={(design) => history.change(design)} />
        </div>
      )}
      <Words
        label={t('preheader')}
        value={value.preheader}
        variables={variables}
        disabled={disabled}
        maxLength={200}
        error={errorAt?.('preheader')}
        onChange={(preheader) => history.change({ ...value, preheader }, 'preheader')}
      />
      <div className={classes.paper} style={{ borderTopColor: color }}>
        {look.logo_url ? (
          // biome-ignore lint/performance/noImgElement: from Storage, as in the e-mail.
          <img src={look.logo_url} alt={look.sender_name ?? ''} className={classes.logo} />
        ) : look.sender_name ? (
          <p className={classes.sender} style={{ color: readableOn(color, '#ffffff') }}>
            {look.sender_name}
          </p>
        ) : null}
        <Blocks
          label={t('list')}
          blocks={value.blocks}
          types={BLOCK_TYPES}
          editing={{ variables, look, imageBase, disabled, errorOf, announce }}
          onChange={(blocks, key) =>
            history.change({ ...value, blocks: blocks as EmailDesign['blocks'] }, key)
          }
        />
        {look.footer ? <p className={classes.note}>{look.footer}</p> : null}
      </div>
      <p className={classes.hint}>{t('keys')}</p>
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </div>
  )
}
