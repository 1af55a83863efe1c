/** What a text of a guest may bring besides words. The file itself stays with the provider. */
export const MEDIA_KINDS = ['image', 'audio', 'video', 'contact', 'location', 'file'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** The kind of a file by its media type: `image/jpeg` is an image, `text/vcard` a contact. */
export function mediaKindOf(type: string): MediaKind {
  if (/vcard/i.test(type)) return 'contact'
  const [kind = ''] = type.toLowerCase().split('/')
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
}
