import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGroup, type Group, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let other: Group
let boss: Client
let marketing: Client

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Imagen', [{ name: 'Norte', slug: 'norte' }])
  other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  boss = await signedIn(await group.person('admin'))
  marketing = await signedIn(await group.person('marketing'))
})
beforeEach(() => app.stack.sql(emptyTables('email_images', 'email_looks', 'email_templates', 'automations')))
afterAll(() => app?.close())

async function call(method: string, path: string, body?: unknown, client = marketing) {
  const response = await client.request(method, path, body === undefined ? {} : { body })
  return response.status === 204 ? { status: 204, body: null as never } : answer(response)
}

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  let crc = 0xffffffff
  for (const byte of body) crc = (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, body, tail])
}
/** A PNG of so many pixels. */
function png(width = 8, height = 4): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const rows = width * height < 1e6 ? Buffer.alloc((width + 1) * height) : Buffer.alloc(0)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

async function upload(bytes: Uint8Array, name = 'foto.png', client = marketing) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name)
  return answer(await client.request('POST', '/api/email-images', { body: form }))
}
const files = async () =>
  (await stackClient(app.stack, 'service').storage.from('email-images').list(group.id)).data?.map(
    ({ name }) => name,
  )

describe('images', () => {
  it('are stored under the organization, public to read, judged by their bytes', async () => {
    const { status, body } = await upload(png(), '../../comedor.svg')
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({ name: 'comedor.svg', content_type: 'image/png', width: 8, height: 4 }),
    ])
    expect(body.data.path).toMatch(new RegExp(`^${group.id}/[0-9a-f-]{36}\\.png$`))
    const read = await fetch(body.data.url)
    expect([read.status, read.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(await sharp(await read.arrayBuffer()).metadata()).toMatchObject({
      format: 'png',
      width: 8,
      height: 4,
    })
    expect((await upload(GIF, 'x.png')).body.data).toMatchObject({ content_type: 'image/gif', width: 1 })
    expect((await call('GET', '/api/email-images?limit=1')).body).toMatchObject({
      data: [{ content_type: 'image/gif' }],
      next_cursor: expect.any(String),
    })
  })

  it.each<[string, () => Uint8Array, number, string]>([
    [
      'SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
      415,
      'NOT_AN_IMAGE',
    ],
    ['HTML', () => Buffer.from('<html><script>alert(1)</script>'), 415, 'NOT_AN_IMAGE'],
    [
      'BMP',
      () =>
        Buffer.from('Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'base64'),
      415,
      'NOT_AN_IMAGE',
    ],
    ['a cut PNG', () => png().subarray(0, 12), 415, 'NOT_AN_IMAGE'],
    ['nothing', () => Buffer.alloc(0), 400, 'NO_FILE'],
    ['a PNG without its pixels', () => png(2000, 2000), 415, 'NOT_AN_IMAGE'],
    ['too many pixels', () => png(6001, 10), 400, 'IMAGE_TOO_LARGE'],
    ['too many bytes', () => Buffer.concat([png(), Buffer.alloc(2 * 1024 * 1024)]), 413, 'BODY_TOO_LARGE'],
  ])('that are %s are refused, and nothing is kept', async (_, bytes, status, code) => {
    const before = await files()
    expect(await upload(bytes())).toEqual({ status, body: expect.objectContaining({ code }) })
    expect([await files(), await app.stack.sql('select 1 from public.email_images')]).toEqual([before, []])
  })

  it('are of their own organization', async () => {
    await upload(png())
    const stranger = await signedIn(await other.person('marketing'))
    expect((await call('GET', '/api/email-images', undefined, stranger)).body.data).toEqual([])
    // Nobody writes to the bucket with a key of their own.
    const direct = await stackClient(app.stack, 'anon')
      .storage.from('email-images')
      .upload(`${group.id}/x.png`, png())
    expect(direct.error).not.toBeNull()
  })

  it('stay while a design, a template or a look shows them', async () => {
    const { id, path } = (await upload(png())).body.data
    const design = { blocks: [{ id: 'a', type: 'image', path }] }
    const remove = () => call('DELETE', `/api/email-images/${id}`)
    const inUse = { status: 409, body: expect.objectContaining({ code: 'IMAGE_IN_USE' }) }

    const { body: kept } = await call('POST', '/api/email-templates', { name: 'Con foto', design })
    expect(await remove()).toEqual(inUse)
    await call('DELETE', `/api/email-templates/${kept.data.id}`)

    await call('PATCH', '/api/email-looks', { logo: path }, boss)
    expect(await remove()).toEqual(inUse)
    await call('PATCH', '/api/email-looks', { logo: null }, boss)

    const draft = { name: 'Con foto', type: 'birthday', channel: 'email', email_design: design }
    const { body: made } = await call('POST', '/api/automations', draft)
    expect(await remove()).toEqual(inUse)
    await call('DELETE', `/api/automations/${made.data.id}`)

    const file = path.split('/')[1]
    expect(await files()).toContain(file)
    expect((await remove()).status).toBe(204)
    expect(await files()).not.toContain(file)
    expect((await remove()).status).toBe(404)
  })

  it('need Storage; without it everything else works', async () => {
    const service = stackClient(app.stack, 'service')
    await service.storage.deleteBucket('email-images')
    try {
      expect(await upload(png())).toEqual({
        status: 503,
        body: expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' }),
      })
      expect((await call('GET', '/api/email-images')).body.data).toEqual([])
      const design = { blocks: [{ id: 'a', type: 'heading', text: 'Hola' }] }
      expect((await call('POST', '/api/email-templates', { name: 'Sin fotos', design })).status).toBe(201)
    } finally {
      await service.storage.createBucket('email-images', { public: true })
    }
  })
})

describe('looks', () => {
  it('are of the group or of a brand, changed field by field', async () => {
    const [brand] = await app.stack.sql<{ id: string }>(
      'select id::text from public.brands where organization_id = $1 limit 1',
      [group.id],
    )
    const path = `/api/brands/${brand?.id}/email-look`
    const changed = await call('PATCH', path, { color: '#A94A34', sender_name: ' Casa  ' }, boss)
    expect([changed.status, changed.body.data]).toEqual([
      200,
      expect.objectContaining({ brand_id: brand?.id, color: '#a94a34', sender_name: 'Casa', logo: null }),
    ])
    expect((await call('PATCH', path, { reply_to: 'Sala@Casa.example' }, boss)).body.data).toMatchObject({
      color: '#a94a34',
      reply_to: 'sala@casa.example',
    })
    expect(
      (await call('PATCH', '/api/email-looks', { footer: 'Calle Mayor 1' }, boss)).body.data,
    ).toMatchObject({
      brand_id: null,
      footer: 'Calle Mayor 1',
    })
    expect((await call('GET', '/api/email-looks')).body.data).toHaveLength(2)
  })

  describe('by who has no settings', () => {
    const SENT = { from_email: 'hola@casa.example', reply_to: 'sala@casa.example' }
    const NEW = { color: '#004d40', button_color: '#ffffff', sender_name: 'Casa', footer: 'Calle Mayor 1' }
    let paths: string[]
    beforeAll(async () => {
      const sql = 'select id::text from public.brands where organization_id = $1 limit 1'
      const [brand] = await app.stack.sql<{ id: string }>(sql, [group.id])
      paths = ['/api/email-looks', `/api/brands/${brand?.id}/email-look`]
    })
    const stored = () =>
      app.stack.sql(
        'select color, from_email, reply_to from public.email_looks order by brand_id nulls first',
      )

    it('marketing changes all but the addresses, which may be given as they are', async () => {
      for (const path of paths) {
        expect((await call('PATCH', path, { ...NEW, from_email: null, reply_to: ' ' })).status).toBe(200)
        await call('PATCH', path, SENT, boss)
        const { status, body } = await call('PATCH', path, { color: '#000000', ...SENT })
        expect([status, body.data]).toEqual([
          200,
          expect.objectContaining({ ...NEW, ...SENT, color: '#000000' }),
        ])
        const log = await app.stack.sql(
          `select actor, details -> 'after' ->> 'color' as color from public.audit_log
           where subject_type = 'email_look' order by created_at desc limit 1`,
        )
        expect(log).toEqual([{ actor: expect.stringMatching(/^marketing/), color: '#000000' }])
      }
    })

    it.each([{ from_email: 'yo@otra.example' }, { reply_to: 'yo@otra.example' }, { reply_to: null }])(
      'refuses them and a token %j, and keeps the rest as it was',
      async (changes) => {
        const made = { name: 'Aspecto', permissions: ['canAccessMarketing'], expires_in_days: 1 }
        const { body } = await call('POST', '/api/tokens', { ...made, location_ids: [] }, boss)
        const headers = { authorization: `Bearer ${body.data.token}` }
        for (const path of paths) {
          await call('PATCH', path, SENT, boss)
          const before = await stored()
          const refused = { status: 403, body: expect.objectContaining({ code: 'FORBIDDEN' }) }
          expect(await call('PATCH', path, { color: '#123456', ...changes })).toEqual(refused)
          const sent = { color: '#123456', ...changes }
          const program = app.client()
          expect((await program.request('PATCH', path, { body: sent, headers })).status).toBe(403)
          expect(await stored()).toEqual(before)
          const ofLook = await program.request('PATCH', path, {
            body: { ...SENT, color: '#654321' },
            headers,
          })
          expect((await answer(ofLook)).body.data).toMatchObject({ ...SENT, color: '#654321' })
        }
      },
    )

    it.runIf(process.env.STACK === 'postgres')('an address that is set meanwhile stays', async () => {
      await call('PATCH', '/api/email-looks', SENT, boss)
      await app.stack.sql('begin')
      await app.stack.sql(`update public.email_looks set reply_to = 'nueva@casa.example'`)
      const asked = call('PATCH', '/api/email-looks', { ...SENT, color: '#aaaaaa' })
      const waiting = async () => {
        // Else the list of backends stays that of the transaction's first look.
        await app.stack.sql('select pg_stat_clear_snapshot()')
        return app.stack.sql(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
      }
      while ((await waiting()).length === 0);
      await app.stack.sql('commit')
      expect((await asked).status).toBe(200)
      expect(await stored()).toEqual([{ ...SENT, color: '#aaaaaa', reply_to: 'nueva@casa.example' }])
    })

    it.each(['operaciones', 'sala', 'rrhh'] as const)('%s changes nothing', async (role) => {
      const locations = role === 'sala' ? group.locations.map(({ id }) => id) : []
      const person = await signedIn(await group.person(role, locations))
      for (const path of paths) expect((await call('PATCH', path, NEW, person)).status).toBe(403)
      expect(await stored()).toEqual([])
    })

    it('who works in some locations changes none', async () => {
      const locations = group.locations.map(({ id }) => id)
      const bound = await signedIn(await group.person('marketing', locations))
      for (const path of paths) expect((await call('PATCH', path, NEW, bound)).status).toBe(403)
      expect(await stored()).toEqual([])
    })
  })

  it.each([
    [{ color: 'red' }],
    [{ color: '#fff' }],
    [{ button_color: 'url(x)' }],
    [{ from_email: 'a@b' }],
    [{ reply_to: 'a@b.example, c@d.example' }],
    [{ sender_name: 'A\nBcc: x' }],
    [{ logo: 'https://a.example/x.png' }],
    [{ logo: `${crypto.randomUUID()}/${crypto.randomUUID()}.png` }],
    [{ brand_id: null }],
  ])('refuse %j', async (changes) => {
    expect((await call('PATCH', '/api/email-looks', changes, boss)).status).toBe(400)
    expect(await app.stack.sql('select 1 from public.email_looks')).toEqual([])
  })
})

describe('templates', () => {
  const design = { preheader: '', blocks: [{ id: 'a', type: 'heading', text: 'Hola', align: 'left' }] }

  it('are kept, listed by name, renamed and deleted', async () => {
    const { status, body } = await call('POST', '/api/email-templates', { name: ' Verano ', design })
    expect([status, body.data]).toEqual([201, expect.objectContaining({ name: 'Verano', design })])
    const path = `/api/email-templates/${body.data.id}`
    await call('POST', '/api/email-templates', { name: 'Invierno', design })
    expect((await call('PATCH', path, { name: 'Invierno' })).body.code).toBe('ALREADY_EXISTS')
    expect((await call('PATCH', path, { name: 'Otoño' })).body.data).toMatchObject({ name: 'Otoño', design })
    const names = (await call('GET', '/api/email-templates')).body.data.map(
      ({ name }: { name: string }) => name,
    )
    expect(names).toEqual(['Invierno', 'Otoño'])
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(404)
    const lines = await app.stack.sql<{ action: string }>(
      `select action from public.audit_log where subject_type = 'email_template'`,
    )
    expect(lines.map(({ action }) => action)).toContain('email_template.deleted')
  })

  it.each([
    [{ name: '', design }],
    [{ name: 'x' }],
    [{ name: 'x', design: { blocks: [] } }],
    [{ name: 'x', design: { blocks: [{ id: 'a', type: 'button', label: 'x', href: 'javascript:1' }] } }],
  ])('refuse %j', async (body) => {
    expect((await call('POST', '/api/email-templates', body)).status).toBe(400)
  })
})
