import type { EmailDesign } from '@/lib/email-design/schema'

/** The templates that every group has. */
export const BUILT_IN = ['birthday', 'news', 'thanks'] as const
type BuiltIn = (typeof BUILT_IN)[number]
/** Their texts, in the visitor's language. */
type Words = (key: 'preheader' | 'heading' | 'text' | 'button') => string

/** Our own texts have variables as [[first_name]]: braces mean something to them. */
export const liquid = (text: string) => text.replaceAll('[[', '{{ ').replaceAll(']]', ' }}')

/** A template that every group has. */
export function builtIn(name: BuiltIn, words: Words): EmailDesign {
  return {
    preheader: liquid(words('preheader')),
    blocks: [
      ...(name === 'news'
        ? [{ id: 'image', type: 'image' as const, path: null, alt: '', href: null, width: 600 }]
        : []),
      { id: 'heading', type: 'heading', text: liquid(words('heading')), align: 'left' },
      { id: 'text', type: 'text', runs: [{ text: liquid(words('text')) }], align: 'left' },
      // The address is the restaurant's own.
      { id: 'button', type: 'button', label: liquid(words('button')), href: '', align: 'left' },
      { id: 'divider', type: 'divider' },
      { id: 'footer', type: 'footer', text: liquid('[[organization_name]]') },
    ],
  }
}
