import type { CSSProperties, ReactNode } from 'react'
import { readableOn, textOn } from '@/lib/email-design/look'
import type { GuestLook } from '@/lib/guests/look'
import classes from './guest-brand.module.css'

interface GuestBrandProps {
  /** Null: plain. */
  look: GuestLook | null
  children: ReactNode
}

// Of app/globals.css, those that text is hardest to read on.
const LIGHT_GROUND = '#f7f5f2'
const DARK_GROUND = '#262220'

/** A guest's page with the logo (else the name) and the colours of its restaurant, which stay readable. */
export function GuestBrand({ look, children }: GuestBrandProps) {
  const color = look?.color ?? look?.buttonColor
  return (
    <div className={classes.brand} data-colored={color ? true : undefined} style={colorsOf(look)}>
      {look ? (
        <p className={classes.head}>
          {look.logo ? (
            // biome-ignore lint/performance/noImgElement: from Storage, as in the e-mail.
            <img src={look.logo} alt={look.name} className={classes.logo} />
          ) : (
            look.name
          )}
        </p>
      ) : null}
      {children}
    </div>
  )
}

/** The colours as custom properties: the style sheet chooses by the scheme. */
function colorsOf(look: GuestLook | null): CSSProperties | undefined {
  const color = look?.color ?? look?.buttonColor
  if (!color) return undefined
  const fill = look?.buttonColor ?? color
  return {
    '--guest-light': readableOn(color, LIGHT_GROUND),
    '--guest-dark': readableOn(color, DARK_GROUND),
    '--guest-fill': fill,
    '--guest-on-fill': textOn(fill),
  } as CSSProperties
}
