'use client'
import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { DESIGN_LIMITS } from '@/lib/email-design/limits'
import type { EmailLook } from '@/lib/email-design/look-schema'
import type { Block } from '@/lib/email-design/schema'
import { BlockFields } from './block-fields'
import { type BlockType, copyOf, moved, newBlock } from './blocks'
import { liquid } from './built-in'
import classes from './design-editor.module.css'
import type { VariableChoice } from './variables'

/** What every part of the editor needs. */
export interface Editing {
  variables: readonly VariableChoice[]
  look: EmailLook
  /** The address of stored images, without their path. */
  imageBase: string
  disabled: boolean
  /** The problem of a block of the design, by its id. */
  errorOf: (id: string) => string | undefined
  /** Reads something out to screen readers. */
  announce: (text: string) => void
}

interface BlocksProps {
  /** The accessible name of the list. */
  label: string
  blocks: readonly Block[]
  /** The types that can be added here. */
  types: readonly BlockType[]
  editing: Editing
  /** `key`: changes with the same key in a row are undone together. */
  onChange: (blocks: Block[], key?: string) => void
}

/** Blocks one under the other: each can be moved (also with Alt and the arrows), duplicated and deleted. */
export function Blocks({ label, blocks, types, editing, onChange }: BlocksProps) {
  const t = useTranslations('client.emailDesign')
  const list = useRef<HTMLOListElement>(null)
  const focus = useRef<string | null>(null)
  const inner = types.length < 5
  const limit = inner ? DESIGN_LIMITS.columnBlocks : DESIGN_LIMITS.blocks

  // React moves the element, and the browser takes the focus away.
  useEffect(() => {
    if (focus.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-block="${focus.current}"]`)?.focus()
    focus.current = null
  })

  function move(index: number, by: number) {
    const block = blocks[index]
    const to = index + by
    if (!block || to < 0 || to >= blocks.length) return
    focus.current = block.id
    onChange(moved(blocks, index, by))
    editing.announce(t('movedTo', { name: t(`blocks.${block.type}`), place: to + 1 }))
  }

  function duplicate(index: number) {
    const block = blocks[index]
    if (!block || blocks.length >= limit) return
    const copy = copyOf(block)
    focus.current = copy.id
    onChange(blocks.toSpliced(index + 1, 0, copy))
  }

  function remove(index: number) {
    focus.current = (blocks[index + 1] ?? blocks[index - 1])?.id ?? null
    onChange(blocks.toSpliced(index, 1))
    editing.announce(t('removed'))
  }

  function add(type: BlockType) {
    const block = newBlock(type, {
      heading: liquid(t('start.heading')),
      text: t('start.text'),
      button: t('start.button'),
    })
    focus.current = block.id
    onChange([...blocks, block])
  }

  function pressed(event: KeyboardEvent<HTMLElement>, index: number) {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || by === 0 || editing.disabled) return
    event.preventDefault()
    event.stopPropagation()
    move(index, by)
  }

  return (
    <div>
      <ol ref={list} className={classes.blocks} aria-label={label}>
        {blocks.map((block, index) => {
          const name = t('block', { type: t(`blocks.${block.type}`), place: index + 1 })
          const error = editing.errorOf(block.id)
          const actions = [
            { label: t('up', { name }), Icon: IconArrowUp, run: () => move(index, -1), off: index === 0 },
            {
              label: t('down', { name }),
              Icon: IconArrowDown,
              run: () => move(index, 1),
              off: index === blocks.length - 1,
            },
            { label: t('duplicate', { name }), Icon: IconCopy, run: () => duplicate(index), off: false },
            { label: t('remove', { name }), Icon: IconTrash, run: () => remove(index), off: false },
          ]
          return (
            <li
              key={block.id}
              className={classes.block}
              data-block={block.id}
              data-type={block.type}
              data-wrong={error ? true : undefined}
              aria-label={name}
              tabIndex={-1}
              onKeyDown={(event) => pressed(event, index)}
            >
              {editing.disabled ? null : (
                <div className={classes.bar}>
                  <span className={classes.type}>{t(`blocks.${block.type}`)}</span>
                  {actions.map(({ label: text, Icon, run, off }) => (
                    <ActionIcon
                      key={text}
                      variant="subtle"
                      color="gray"
                      size="md"
                      aria-label={text}
                      title={text}
                      disabled={off}
                      onClick={run}
                    >
                      <Icon size={15} aria-hidden />
                    </ActionIcon>
                  ))}
                </div>
              )}
              <BlockFields
                block={block}
                name={name}
                editing={editing}
                onChange={(next, field) =>
                  onChange(blocks.toSpliced(index, 1, next), field && `${block.id} ${field}`)
                }
              />
              {error ? (
                <p role="alert" className={classes.wrong}>
                  {error}
                </p>
              ) : null}
            </li>
          )
        })}
      </ol>
      {editing.disabled || blocks.length >= limit ? null : (
        <fieldset className={classes.add} aria-label={t('addTo', { list: label })}>
          {types.map((type) => (
            <Button
              key={type}
              size="xs"
              variant="default"
              leftSection={<IconPlus size={13} aria-hidden />}
              onClick={() => add(type)}
            >
              {t(`blocks.${type}`)}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
