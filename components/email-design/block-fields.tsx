'use client'
import { NativeSelect, TextInput } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { readNumber, showNumber } from '@/components/forms/numbers'
import { EMAIL_WIDTH } from '@/lib/email-design/limits'
import { textOn, USUAL_COLOR } from '@/lib/email-design/look'
import type { Block, ColumnBlock } from '@/lib/email-design/schema'
import { Blocks, type Editing } from './block-list'
import { COLUMN_TYPES } from './blocks'
import classes from './design-editor.module.css'
import { ImageField } from './image-field'
import { RichText } from './rich-text'
import { Words } from './variables'

const LEAST_WIDTH = 16

interface BlockFieldsProps<B extends Block> {
  block: B
  /** What the block is called, for its fields. */
  name: string
  editing: Editing
  /** `field`: what is being typed into, so that it is undone in one step. */
  onChange: (block: B, field?: string) => void
}

/** A block as it will look, with its texts and settings to edit in place. */
export function BlockFields({ block, ...rest }: BlockFieldsProps<Block>) {
  switch (block.type) {
    case 'heading':
      return <HeadingFields block={block} {...rest} />
    case 'text':
      return <TextFields block={block} {...rest} />
    case 'image':
      return <ImageFields block={block} {...rest} />
    case 'button':
      return <ButtonFields block={block} {...rest} />
    case 'columns':
      return <ColumnFields block={block} {...rest} />
    case 'footer':
      return <FooterFields block={block} {...rest} />
    default:
      return <hr className={classes.rule} />
  }
}

type Of<T extends Block['type']> = BlockFieldsProps<Extract<Block, { type: T }>>
type OnChange<T extends Block['type']> = Of<T>['onChange']
/** The parts of a block share the handler of all blocks. */
const as = <T extends Block['type']>(onChange: BlockFieldsProps<Block>['onChange']) =>
  onChange as unknown as OnChange<T>

type Props<T extends Block['type']> = Omit<Of<T>, 'onChange'> & Pick<BlockFieldsProps<Block>, 'onChange'>

function HeadingFields({ block, name, editing, onChange }: Props<'heading'>) {
  const change = as<'heading'>(onChange)
  return (
    <>
      <Words
        label={name}
        bare={classes.heading}
        value={block.text}
        variables={editing.variables}
        disabled={editing.disabled}
        maxLength={300}
        onChange={(text) => change({ ...block, text }, 'text')}
      />
      <Align
        value={block.align}
        disabled={editing.disabled}
        onChange={(align) => change({ ...block, align })}
      />
    </>
  )
}

function TextFields({ block, name, editing, onChange }: Props<'text'>) {
  const change = as<'text'>(onChange)
  return (
    <>
      <RichText
        label={name}
        runs={block.runs}
        variables={editing.variables}
        disabled={editing.disabled}
        onChange={(runs) => change({ ...block, runs }, 'text')}
      />
      <Align
        value={block.align}
        disabled={editing.disabled}
        onChange={(align) => change({ ...block, align })}
      />
    </>
  )
}

function ImageFields({ block, editing, onChange }: Props<'image'>) {
  const t = useTranslations('client.emailDesign')
  const change = as<'image'>(onChange)
  const { disabled, variables } = editing
  return (
    <>
      <ImageField
        url={block.path && `${editing.imageBase}${block.path}`}
        alt={block.alt}
        disabled={disabled}
        onChoose={({ path, width }) =>
          change({ ...block, path, width: Math.min(Math.max(width, LEAST_WIDTH), EMAIL_WIDTH) })
        }
      />
      <Words
        label={t('alt')}
        value={block.alt}
        variables={variables}
        disabled={disabled}
        maxLength={300}
        onChange={(alt) => change({ ...block, alt }, 'alt')}
      />
      <TextInput
        label={t('imageLink')}
        value={block.href ?? ''}
        disabled={disabled}
        maxLength={1000}
        autoComplete="off"
        onChange={(event) => change({ ...block, href: event.currentTarget.value || null }, 'href')}
      />
      <Width
        width={block.width}
        disabled={disabled}
        onChange={(width) => change({ ...block, width }, 'width')}
      />
    </>
  )
}

/** The width of an image. What is no number counts as 0, which the API refuses, and stays as it was typed. */
function Width(props: { width: number; disabled: boolean | undefined; onChange: (width: number) => void }) {
  const t = useTranslations('client.emailDesign')
  const locale = useLocale()
  const [typed, setTyped] = useState('')
  const { width, disabled, onChange } = props
  const numberIn = (text: string) => readNumber(text, locale) ?? 0
  return (
    <NumberField
      label={t('width')}
      value={numberIn(typed) === width ? typed : showNumber(width, locale)}
      disabled={disabled}
      error={width < LEAST_WIDTH || width > EMAIL_WIDTH}
      min={LEAST_WIDTH}
      max={EMAIL_WIDTH}
      onChange={(text) => {
        setTyped(text)
        onChange(numberIn(text))
      }}
    />
  )
}

function ButtonFields({ block, editing, onChange }: Props<'button'>) {
  const t = useTranslations('client.emailDesign')
  const change = as<'button'>(onChange)
  const { disabled, variables, look } = editing
  const color = look.button_color ?? look.color ?? USUAL_COLOR
  return (
    <>
      <p style={{ textAlign: block.align }}>
        <span className={classes.button} style={{ backgroundColor: color, color: textOn(color) }}>
          {block.label || t('blocks.button')}
        </span>
      </p>
      <Words
        label={t('buttonText')}
        value={block.label}
        variables={variables}
        disabled={disabled}
        maxLength={100}
        onChange={(label) => change({ ...block, label }, 'label')}
      />
      <Words
        label={t('buttonLink')}
        value={block.href}
        variables={variables}
        disabled={disabled}
        maxLength={1000}
        onChange={(href) => change({ ...block, href }, 'href')}
      />
      <Align value={block.align} disabled={disabled} onChange={(align) => change({ ...block, align })} />
    </>
  )
}

function FooterFields({ block, name, editing, onChange }: Props<'footer'>) {
  const t = useTranslations('client.emailDesign')
  const change = as<'footer'>(onChange)
  return (
    <>
      <Words
        label={name}
        bare={classes.footer}
        multiline
        value={block.text}
        variables={editing.variables}
        disabled={editing.disabled}
        maxLength={500}
        onChange={(text) => change({ ...block, text }, 'text')}
      />
      <p className={classes.note}>{t('unsubscribe')}</p>
    </>
  )
}

function ColumnFields({ block, name, editing, onChange }: Props<'columns'>) {
  const t = useTranslations('client.emailDesign')
  const change = as<'columns'>(onChange)
  return (
    <div className={classes.columns}>
      {(['left', 'right'] as const).map((side) => (
        <Blocks
          key={side}
          label={t(`sides.${side}`, { name })}
          blocks={block[side]}
          types={COLUMN_TYPES}
          editing={editing}
          onChange={(inner, key) => change({ ...block, [side]: inner as ColumnBlock[] }, key)}
        />
      ))}
    </div>
  )
}

type Alignment = 'left' | 'center'

interface AlignProps {
  value: Alignment
  disabled: boolean
  onChange: (align: Alignment) => void
}

function Align({ value, disabled, onChange }: AlignProps) {
  const t = useTranslations('client.emailDesign')
  if (disabled) return null
  return (
    <NativeSelect
      size="xs"
      className={classes.insert}
      aria-label={t('align')}
      value={value}
      data={[
        { value: 'left', label: t('left') },
        { value: 'center', label: t('center') },
      ]}
      onChange={(event) => onChange(event.currentTarget.value as Alignment)}
    />
  )
}
