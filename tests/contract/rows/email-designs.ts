import { type Arrange, error, ISO, type Row, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about } from './cases'

const ID = 'e3a10000-0000-4000-8000-000000000001'
const LOOKS = '/api/email-looks'
const BRAND = 'PATCH /api/brands/{id}/email-look'
const IMAGES = '/api/email-images'
const IMAGE = 'DELETE /api/email-images/{id}'
const TEMPLATES = '/api/email-templates'
const [RENAME, REMOVE] = [`PATCH ${TEMPLATES}/{id}`, `DELETE ${TEMPLATES}/{id}`]
const WHATSAPP = 'GET /api/whatsapp-templates'

const design = { preheader: '', blocks: [{ id: 'a', type: 'heading', text: 'Hola', align: 'left' }] }
const template = { name: 'Del contrato', design }
const NOW = { created_at: '2026-11-20T12:00:00Z', updated_at: '2026-11-20T12:00:00Z' }
const made = given('email_templates', () => ({ id: ID, ...template, ...NOW }))
const shown = (changes: object = {}) => ({
  id: ID,
  ...template,
  created_at: ISO,
  updated_at: ISO,
  ...changes,
})
const noTemplate = afterwards(`delete from public.email_templates where name = 'Nueva del contrato'`)
const noLook = afterwards('delete from public.email_looks')
const brand = given('brands', () => ({ id: ID, name: 'Marca del contrato', slug: 'marca-del-contrato' }))
const path = (organization: string) => `${organization}/${ID}.png`
const picture = {
  ...{ name: 'foto.png', content_type: 'image/png', bytes: 10, width: 4, height: 2 },
  created_at: '2026-11-20T12:00:00Z',
}
const image: Arrange = (world) =>
  given('email_images', ({ group }) => ({ id: ID, path: path(group.id), ...picture }))(world)
const usedImage = all(
  image,
  given('email_looks', ({ group }) => ({ id: ID, logo: path(group.id), updated_at: NOW.updated_at })),
)
const look = (changes: object) => ({
  ...{ brand_id: null, logo: null, logo_url: null, color: null, button_color: null },
  ...{ sender_name: null, from_email: null, reply_to: null, footer: null },
  ...changes,
})
const file = (text: string) => ({
  body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${text}\r\n--x--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
})
const row = (name: string, rest: Omit<Row, 'name' | 'section' | 'as'> & { as?: Row['as'] }): Row => ({
  name,
  section: 'our own: designs of e-mails',
  as: 'marketing',
  ...rest,
})

/** Looks, images and templates of e-mails; templates of WhatsApp. */
export const emailDesignRows: Row[] = [
  row('changes the group’s look', {
    request: { operation: `PATCH ${LOOKS}`, body: { color: '#004D40' } },
    arrange: noLook,
    answers: { status: 200, body: { data: look({ color: '#004d40' }) } },
  }),
  row('refuses what is no colour', {
    request: { operation: `PATCH ${LOOKS}`, body: { color: 'red' } },
    answers: { status: 400, body: about('color') },
  }),
  row('changes a brand’s look', {
    request: { operation: BRAND, id: ID, body: { sender_name: 'Casa' } },
    arrange: all(brand, noLook),
    answers: { status: 200, body: { data: look({ brand_id: ID, sender_name: 'Casa' }) } },
  }),
  row('refuses what is no colour', {
    request: { operation: BRAND, id: ID, body: { button_color: 'red' } },
    arrange: brand,
    answers: { status: 400, body: about('button_color') },
  }),
  row('refuses another address to who has no settings', {
    request: { operation: `PATCH ${LOOKS}`, body: { color: '#004d40', reply_to: 'otro@lumbre.example' } },
    answers: { status: 403, body: error('Forbidden') },
  }),
  row('refuses another address to who has no settings', {
    request: { operation: BRAND, id: ID, body: { from_email: 'otro@lumbre.example' } },
    arrange: brand,
    answers: { status: 403, body: error('Forbidden') },
  }),
  row('lists the looks', {
    request: { operation: `GET ${LOOKS}` },
    answers: { status: 200, body: { data: [], next_cursor: null } },
  }),
  row('lists the images', {
    request: { operation: `GET ${IMAGES}` },
    arrange: image,
    answers: { status: 200 },
  }),
  row('refuses a malformed cursor', {
    request: { operation: `GET ${IMAGES}`, query: '?cursor=x' },
    answers: { status: 400 },
  }),
  row('refuses what is no image', {
    request: { operation: `POST ${IMAGES}`, ...file('<svg/>') },
    answers: { status: 415, body: error('Not a PNG, JPEG, GIF or WebP image') },
  }),
  row('refuses a form without a file', {
    request: { operation: `POST ${IMAGES}`, ...file('') },
    answers: { status: 400, body: error('No file provided') },
  }),
  row('keeps an image that a look shows', {
    request: { operation: IMAGE, id: ID },
    arrange: usedImage,
    answers: { status: 409, body: error('A design, a template or a brand shows the image') },
  }),
  row('deletes an image', {
    request: { operation: IMAGE, id: ID },
    arrange: image,
    answers: { status: 204 },
  }),
  row('lists the templates', {
    request: { operation: `GET ${TEMPLATES}` },
    arrange: made,
    answers: { status: 200, body: { data: [shown()], next_cursor: null } },
  }),
  row('keeps a design', {
    request: { operation: `POST ${TEMPLATES}`, body: { name: 'Nueva del contrato', design } },
    arrange: noTemplate,
    answers: { status: 201, body: { data: shown({ id: UUID, name: 'Nueva del contrato' }) } },
  }),
  row('refuses a name in use', {
    request: { operation: `POST ${TEMPLATES}`, body: template },
    arrange: made,
    answers: { status: 409, body: error('Already exists') },
  }),
  row('refuses a design without blocks', {
    request: { operation: `POST ${TEMPLATES}`, body: { name: 'x', design: { blocks: [] } } },
    answers: { status: 400, body: about('design.blocks') },
  }),
  row('renames a template', {
    request: { operation: RENAME, id: ID, body: { name: 'Otra' } },
    arrange: made,
    answers: { status: 200, body: { data: shown({ name: 'Otra' }) } },
  }),
  row('refuses an empty name', {
    request: { operation: RENAME, id: ID, body: { name: '' } },
    arrange: made,
    answers: { status: 400, body: about('name') },
  }),
  row('deletes a template', {
    request: { operation: REMOVE, id: ID },
    arrange: made,
    answers: { status: 204 },
  }),
  row('says that Twilio is not connected', {
    request: { operation: WHATSAPP },
    answers: { status: 409, body: error('The Twilio integration is not enabled') },
  }),
]
