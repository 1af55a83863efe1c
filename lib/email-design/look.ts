import type { EmailLook } from './look-schema'

/** Nothing of its own. */
export const NO_LOOK: EmailLook = {
  logo: null,
  color: null,
  button_color: null,
  sender_name: null,
  from_email: null,
  reply_to: null,
  footer: null,
}

/**
 * The look of an e-mail for locations of these brands, as private.email_look_of chooses it: the brand's where there is
 * one only, over the group's (`brand_id` null).
 */
export function lookFor<L extends EmailLook & { brand_id: string | null }>(
  looks: readonly L[],
  brands: readonly (string | null)[],
): Partial<L> {
  const [first] = brands
  const brand = first && brands.every((one) => one === first) ? first : null
  const own = brand ? (looks.find(({ brand_id }) => brand_id === brand) ?? {}) : {}
  const set = Object.entries(own).filter(([, value]) => value !== null)
  return { ...looks.find(({ brand_id }) => brand_id === null), ...Object.fromEntries(set) } as Partial<L>
}

/** The colour of links and of the line at the top where a look has none. */
export const USUAL_COLOR = '#a94a34'

/** Whether a text is a colour as looks have it. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** The share of light that a colour reflects, 0 to 1 (WCAG 2 relative luminance). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours (#rrggbb) by WCAG 2: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Black or white, whichever is easier to read on the colour; one of them always has a contrast of 4.5 at least. */
export const textOn = (color: string): '#ffffff' | '#000000' =>
  contrast(color, '#ffffff') >= 4.5 ? '#ffffff' : '#000000'

/** The colour, darkened or lightened until it can be read as text on the background (4.5). */
export function readableOn(color: string, background: string): string {
  const toward = luminance(background) > 0.5 ? 0 : 255
  for (let share = 0; share <= 1; share += 0.05) {
    const mixed = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16)
      return Math.round(part + (toward - part) * share)
        .toString(16)
        .padStart(2, '0')
    })
    const candidate = `#${mixed.join('')}`
    if (contrast(candidate, background) >= 4.5) return candidate
  }
  return toward === 0 ? '#000000' : '#ffffff'
}
