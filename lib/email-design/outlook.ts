// Outlook for Windows (Word) knows neither max-width nor inline-block: there a table of a fixed width goes around them.
// React renders no comments. The layout has marks in their place, as texts, and `withGhosts` puts the comments in.

const mark = (name: string, ...widths: number[]) => `%%${[name, ...widths].join(' ')}%%`

/** The marks of a ghost table: its first cell, its next one, and its end. Each stands as a text between elements. */
export const ghost = {
  open: (table: number, cell = table) => mark('open', table, cell),
  next: (cell: number) => mark('next', cell),
  close: mark('close'),
}

const only = (html: string) => `<!--[if mso]>${html}<![endif]-->`
const cell = (width: number) => `<td width="${width}" valign="top">`
const opened = (table: number, first: number) =>
  `<table role="presentation" align="center" width="${table}" border="0" cellpadding="0" cellspacing="0" style="width:${table}px;table-layout:fixed"><tr>${cell(first)}`

// Without the fonts Outlook takes Times; without the pixels Windows enlarges texts but no widths.
const HEAD = only(
  [
    '<noscript><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript>',
    `<style>table{border-collapse:collapse}td,p,a,h1{font-family:'Segoe UI',Arial,sans-serif!important}</style>`,
  ].join(''),
)

// What React notes for a browser that goes on with the page, and has it load beforehand.
const NOTES = /<!--(?:\/?\$|html|head|body| )-->|<link rel="preload"[^>]*>/g

/** The rendered layout with what only Outlook for Windows reads. */
export const withGhosts = (html: string): string =>
  html
    .replace(NOTES, '')
    .replace('</head>', `${HEAD}</head>`)
    .replace(/%%open (\d+) (\d+)%%/g, (_, table, first) => only(opened(Number(table), Number(first))))
    .replace(/%%next (\d+)%%/g, (_, width) => only(`</td>${cell(Number(width))}`))
    .replaceAll(ghost.close, only('</td></tr></table>'))
