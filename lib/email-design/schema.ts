import { z } from 'zod'
import { problemAs } from '@/lib/http/issues'
import { DESIGN_LIMITS, EMAIL_WIDTH, IMAGE_PATH, isSafeLink } from './limits'

const isLiquid = (text: string) => /\{[{%]/.test(text)

const id = z.string().regex(/^[A-Za-z0-9-]{1,36}$/)
const align = z.enum(['left', 'center']).default('left')
const words = (max: number) => z.string().max(max)
// An address with Liquid is checked once it is rendered.
const address = z
  .string()
  .max(1000)
  .trim()
  .refine(
    (value) => value === '' || isLiquid(value) || isSafeLink(value),
    problemAs('link_scheme', 'must begin with https:, mailto: or tel:'),
  )
const link = address.nullable().default(null)

const runSchema = z.strictObject({
  text: words(4000),
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  href: address.optional(),
})

const headingSchema = z.strictObject({ id, type: z.literal('heading'), text: words(300), align })
const textSchema = z.strictObject({
  id,
  type: z.literal('text'),
  runs: z.array(runSchema).max(DESIGN_LIMITS.runs),
  align,
})
const imageSchema = z.strictObject({
  id,
  type: z.literal('image'),
  path: z.string().regex(IMAGE_PATH).nullable().default(null),
  alt: words(300).default(''),
  href: link,
  width: z.int().min(16).max(EMAIL_WIDTH).default(EMAIL_WIDTH),
})
const buttonSchema = z.strictObject({
  id,
  type: z.literal('button'),
  label: words(100),
  href: address.default(''),
  align,
})
const dividerSchema = z.strictObject({ id, type: z.literal('divider') })
const footerSchema = z.strictObject({ id, type: z.literal('footer'), text: words(500) })

const columnSchema = z
  .array(z.discriminatedUnion('type', [textSchema, imageSchema, buttonSchema]))
  .max(DESIGN_LIMITS.columnBlocks)
const columnsSchema = z.strictObject({
  id,
  type: z.literal('columns'),
  left: columnSchema,
  right: columnSchema,
})

const blockSchema = z.discriminatedUnion('type', [
  headingSchema,
  textSchema,
  imageSchema,
  buttonSchema,
  columnsSchema,
  dividerSchema,
  footerSchema,
])

/** An e-mail as blocks, in order. Every text and address is Liquid; `preheader` is what inboxes show after the subject. */
export const emailDesignSchema = z
  .strictObject({
    preheader: words(200).default(''),
    blocks: z.array(blockSchema).min(1).max(DESIGN_LIMITS.blocks),
  })
  .refine(
    (design) => JSON.stringify(design).length <= DESIGN_LIMITS.characters,
    problemAs('too_long', `at most ${DESIGN_LIMITS.characters} characters`, {
      maximum: DESIGN_LIMITS.characters,
    }),
  )
  .meta({
    id: 'EmailDesign',
    description:
      'An e-mail as blocks, in order: heading, text, image, button, columns, divider, footer. Texts and addresses are Liquid; addresses begin with https:, mailto: or tel:.',
  })

export type EmailDesign = z.output<typeof emailDesignSchema>

/** A stored design, as it is; one without blocks may be kept. */
export const storedDesign = z.custom<EmailDesign>((stored) => {
  const { blocks } = Object(stored)
  return (
    emailDesignSchema.safeParse(stored).success ||
    (Array.isArray(blocks) && blocks.length === 0 && !Array.isArray(stored))
  )
})
export type Block = EmailDesign['blocks'][number]
export type ColumnBlock = z.output<typeof columnSchema>[number]
export type Run = z.output<typeof runSchema>

/** A text of a design: its path within it, and whether it is an address. */
export interface DesignText {
  path: string
  text: string
  isLink: boolean
}

/** Every text of a design that passes Liquid, in a fixed order. */
export function textsOfDesign({ preheader, blocks }: EmailDesign): DesignText[] {
  return [
    { path: 'preheader', text: preheader, isLink: false },
    ...blocks.flatMap((block, at) => textsOfBlock(block, `blocks.${at}`)),
  ]
}

function textsOfBlock(block: Block, path: string): DesignText[] {
  const words = (name: string, text: string) => ({ path: `${path}.${name}`, text, isLink: false })
  const link = (name: string, text: string | null | undefined) =>
    text ? [{ path: `${path}.${name}`, text, isLink: true }] : []
  switch (block.type) {
    case 'heading':
    case 'footer':
      return [words('text', block.text)]
    case 'text':
      return block.runs.flatMap(({ text, href }, at) => [
        words(`runs.${at}.text`, text),
        ...link(`runs.${at}.href`, href),
      ])
    case 'image':
      return [words('alt', block.alt), ...link('href', block.href)]
    case 'button':
      return [words('label', block.label), ...link('href', block.href)]
    case 'columns':
      return (['left', 'right'] as const).flatMap((side) =>
        block[side].flatMap((inner, at) => textsOfBlock(inner, `${path}.${side}.${at}`)),
      )
    default:
      return []
  }
}

/** The stored images that a design shows, each once. */
export function imagesOfDesign({ blocks }: EmailDesign): string[] {
  const inner = blocks.flatMap((block) =>
    block.type === 'columns' ? [...block.left, ...block.right] : [block],
  )
  return [...new Set(inner.flatMap((block) => (block.type === 'image' && block.path ? [block.path] : [])))]
}
