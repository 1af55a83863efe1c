import type { Break, Finders } from './break'

type Slip = Omit<Break, 'kind' | 'noticedBy' | 'noticedByBefore'>

const spec = (name: string) => `tests/e2e/${name}.spec.ts`
const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/**
 * A break of one page, which the visit to that page finds. Before, each of four files went to all pages: `before` found
 * it. One break a page: the first one would hide the next.
 */
function onPage(route: string, says: string, before: string, slip: Slip): Break {
  const tests = `(?:^| )${literal(route)}: `
  return {
    ...slip,
    kind: 'page',
    noticedBy: { files: [spec('every-page')], tests, says },
    noticedByBefore: { files: [spec(before)], tests, says },
  }
}

const found = (noticedBy: Finders, slip: Slip): Break => ({ ...slip, kind: 'page', noticedBy })

const byTest = (file: string, tests: string, slip: Slip) => found({ files: [spec(file)], tests }, slip)

/** A break of what is written to guests, which needs no browser. */
const byVitest = (file: string, slip: Slip) => found({ files: [`tests/${file}.test.ts`] }, slip)

/** Twenty breaks of pages, and of messages to guests and staff. */
export const pageBreaks: readonly Break[] = [
  onPage('/settings/identity', 'label: ', 'axe', {
    name: 'two fields have no label',
    file: 'components/identity/thresholds-card.tsx',
    find: '                label={t(name)}\n',
    replace: '',
  }),
  onPage('/feedback', 'color-contrast: ', 'axe', {
    name: 'what guests say is light grey',
    file: 'components/feedback/feedback.module.css',
    find: '.words {\n',
    replace: '.words {\n  color: #bbbbbb;\n',
  }),
  onPage('/loyalty', 'h1', 'axe', {
    name: 'a page has no h1',
    file: 'app/(dashboard)/loyalty/page.tsx',
    find: "<PageHeader title={t('title')} subtitle={t('subtitle')} />",
    replace: "<h2>{t('title')}</h2>",
  }),
  onPage('/calendar', 'wider than the screen', 'axe', {
    name: 'a page scrolls sideways on a phone',
    file: 'app/(dashboard)/calendar/page.module.css',
    find: '  .narrow {\n    display: block;\n',
    replace: '  .narrow {\n    display: block;\n    width: 480px;\n',
  }),
  onPage('/settings/audit', 'Filtros', 'axe', {
    name: 'the label of a button is cut',
    file: 'components/ui/filter-fold.module.css',
    find: '  width: 100%;\n  height: 36px;\n',
    replace: '  width: 50px;\n  height: 36px;\n  overflow: hidden;\n',
  }),
  onPage('/tickets', 'Minified React error|hydrat', 'axe', {
    name: 'a page says something on the console',
    file: 'components/tickets/ticket-actions.tsx',
    find: "      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>\n        {t('new')}",
    replace:
      "      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>\n        {typeof window === 'undefined' ? t('new').toUpperCase() : t('new')}",
  }),
  onPage('/reports', 'speaks Spanish', 'languages', {
    name: 'an English page has a Spanish text',
    file: 'app/(dashboard)/reports/page.tsx',
    find: "getTranslations('reports')",
    replace: "getTranslations({ locale: 'es', namespace: 'reports' })",
  }),
  onPage('/u/[token]', '<script>', 'csp', {
    name: 'an inline script without a nonce',
    file: 'app/u/[token]/page.tsx',
    find: '    <main>\n',
    replace:
      "    <main>\n      <script dangerouslySetInnerHTML={{ __html: 'window.name = document.title' }} />\n",
  }),
  {
    name: 'a button takes the focus before the skip link',
    kind: 'page',
    file: 'components/home/sync-button.tsx',
    find: '<ActionIcon',
    replace: '<ActionIcon\n          autoFocus',
    noticedBy: { files: [spec('every-page')], tests: '(?:^| )/: ', says: 'Saltar al contenido' },
    noticedByBefore: { files: [spec('everywhere')], tests: 'the skip link', says: 'Saltar al contenido' },
  },
  byTest('keyboard', '/service: Sin reserva', {
    name: 'a closed dialog does not give the focus back',
    file: 'components/ui/dialog.tsx',
    find: '    return () => dialog?.close()\n',
    replace: '',
  }),
  byTest('keyboard', 'the day’s list is printed', {
    name: 'the button that prints does nothing',
    file: 'components/print/print-button.tsx',
    find: 'onClick={() => window.print()}',
    replace: 'onClick={() => undefined}',
  }),
  byTest('sign-in', 'after a mistake that loses nothing', {
    name: 'a wrong password empties the form',
    file: 'components/sign-in/sign-in-form.tsx',
    find: '<form method="post" onSubmit',
    replace: '<form key={String(failure)} method="post" onSubmit',
  }),
  byTest('sign-in', 'a person without the permission', {
    name: 'a page opens for a role that may not see it',
    file: 'app/(dashboard)/customers/(list)/page.tsx',
    find: "pageSessionWith('canAccessClientes')",
    replace: "pageSessionWith('canWorkInOffice')",
  }),
  byTest('points', 'a guest’s points are added', {
    name: 'an empty list says nothing',
    file: 'components/customers/points-panel.tsx',
    find: "<EmptyState icon={IconStar} title={t('none')} text={t('noneText')} />",
    replace: 'null',
  }),
  byTest('service', 'from the day’s reservations to a customer', {
    name: 'the name of a guest leads nowhere',
    file: 'components/ui/customer-link.tsx',
    find: 'href={`/customers/',
    replace: 'href={`/customer/',
  }),
  byTest('everyday', 'a tag is added to some and undone', {
    name: 'one customer in the plural',
    file: 'lib/i18n/es/client/customers.json',
    find: 'one {Etiqueta «{tag}» añadida a # cliente.}',
    replace: 'one {Etiqueta «{tag}» añadida a # clientes.}',
  }),
  byVitest('api/providers', {
    name: 'an e-mail has the names of guests as HTML',
    file: 'lib/email-design/render.ts',
    find: 'escapeHtml(part), color) : withLineBreaks(part)',
    replace: 'escapeHtml(part), color) : part',
  }),
  byVitest('api/email-design', {
    name: 'the text of a marketing e-mail has no link to unsubscribe',
    file: 'lib/messaging/resend.ts',
    find: 'text: textWithLink(body, missing',
    replace: 'text: textWithLink(body, null',
  }),
  byVitest('security/names-in-messages', {
    name: 'a message has the last name for the first',
    file: 'lib/messaging/template.ts',
    find: 'nameInMessage(facts.first_name), nameInMessage(facts.last_name)]',
    replace: 'nameInMessage(facts.last_name), nameInMessage(facts.last_name)]',
  }),
  byVitest('unit/render-notification', {
    name: 'an e-mail to staff has the time of London',
    file: 'lib/messaging/notification.ts',
    find: "{ timeZone, hour: '2-digit',",
    replace: "{ timeZone: 'Europe/London', hour: '2-digit',",
  }),
]
