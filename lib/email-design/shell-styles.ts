import { readableOn, textOn } from './look'

/** The colours of an e-mail in the light; those of the brand come on top. */
export const [PAPER, CARD, INK, DIM, RULE] = ['#f7f5f2', '#ffffff', '#1f1b19', '#6b635d', '#e6e1db']
const DARK = { paper: '#141210', card: '#211d1b', ink: '#f2ece6', dim: '#b8aea6', rule: '#453e39' }

// No sheet has a character that React escapes in a text.

/** What every e-mail needs: the surface behind it, and both columns below each other on a phone. */
export const styles = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{-webkit-text-size-adjust:100%}
.paper{background-color:${PAPER}}
@media (max-width:599px){
.pad{padding:20px 18px!important}
.col{max-width:100%!important}
.gap{padding:0!important}
}`

/** The brand's colours where an e-mail is dark. */
interface DarkColors {
  link: string
  button: string
  action: string
}

/** Links are lightened until they can be read; a button stays as it is, with its text. */
export const colorsOf = ({ color, button }: { color: string; button: string }): DarkColors => ({
  link: readableOn(color, DARK.card),
  button,
  action: textOn(button),
})

/** For mail programs that follow the system, and for Outlook.com, which marks what it has recoloured (`data-ogsc`). */
export function darkStyles({ link, button, action }: DarkColors): string {
  const surfaces = { paper: DARK.paper, card: DARK.card, button }
  const inks = { ink: DARK.ink, dim: DARK.dim, link, action }
  const rules = (ofSurface: string, ofInk: string) => [
    ...Object.entries(surfaces).map(([name, to]) => `${ofSurface}.${name}{background-color:${to}!important}`),
    ...Object.entries(inks).map(([name, to]) => `${ofInk}.${name}{color:${to}!important}`),
    `${ofInk}.rule{border-color:${DARK.rule}!important}`,
  ]
  return [
    '',
    '@media (prefers-color-scheme:dark){',
    ...rules('', ''),
    '}',
    ...rules('[data-ogsb] ', '[data-ogsc] '),
  ].join('\n')
}
