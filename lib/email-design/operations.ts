import { z } from 'zod'
import { idParams, notFound, page, pageQuery, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { emailLookInput } from './look-schema'
import {
  brandLookSchema,
  emailImageSchema,
  emailTemplateSchema,
  newTemplateSchema,
  templateChangesSchema,
} from './records'

const usual = { tag: 'E-mails', auth: 'session', permission: 'canAccessMarketing' } as const

const id = '2b1f7c54-0d3e-4a8b-9c6f-1e2d3c4b5a69'
const path = '3f2504e0-4f89-41d3-9a0c-0305e82c3301/2b1f7c54-0d3e-4a8b-9c6f-1e2d3c4b5a69.png'
const url = `https://project.supabase.co/storage/v1/object/public/email-images/${path}`
const image = {
  ...{ id, path, url, name: 'comedor.png', content_type: 'image/png', bytes: 48_211 },
  ...{ width: 1200, height: 800, created_at: '2026-11-20T12:00:00.000Z' },
}
const look = {
  ...{ brand_id: null, logo: path, logo_url: url, color: '#004d40', button_color: null },
  ...{
    sender_name: 'Casa Lumbre',
    from_email: null,
    reply_to: 'sala@lumbre.example',
    footer: 'Calle Mayor 1',
  },
}
const design = {
  preheader: 'Te invitamos',
  blocks: [
    { id: 'a', type: 'heading' as const, text: 'Feliz cumpleaños, {{ first_name }}', align: 'left' as const },
    {
      ...{ id: 'b', type: 'button' as const, label: 'Reservar', align: 'left' as const },
      href: 'https://casa.example/reservas',
    },
  ],
}
const template = {
  ...{ id, name: 'Cumpleaños', design },
  ...{ created_at: '2026-11-20T12:00:00.000Z', updated_at: '2026-11-20T12:00:00.000Z' },
}
const changeLook = {
  ...usual,
  body: emailLookInput,
  bodyExample: { color: '#004d40', sender_name: 'Casa Lumbre' },
  description:
    'Only the fields given. Null takes the value of the group’s look, else the usual. Who works in every location; other addresses (`from_email`, `reply_to`) need canViewSettings, and are 403 for others, also for API tokens.',
}
const changed = {
  200: { description: 'As it is now', schema: single(brandLookSchema), example: { data: look } },
}
const taken = problem('The name is taken', 'ALREADY_EXISTS')

export const emailDesignPaths = definePaths({
  '/api/email-looks': {
    get: {
      ...usual,
      summary: 'The looks of e-mails: of the group and of its brands',
      responses: {
        200: {
          description: 'Those that were set; there is one page',
          schema: page(brandLookSchema),
          example: { data: [look], next_cursor: null },
        },
      },
    },
    patch: { ...changeLook, summary: 'Change the look of the group’s e-mails', responses: changed },
  },
  '/api/brands/{id}/email-look': {
    patch: {
      ...changeLook,
      summary: 'Change the look of a brand’s e-mails',
      params: idParams,
      responses: { ...changed, 404: notFound },
    },
  },
  '/api/email-images': {
    get: {
      ...usual,
      summary: 'The images for e-mails, the newest first',
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of images',
          schema: page(emailImageSchema),
          example: { data: [image], next_cursor: null },
        },
      },
    },
    post: {
      ...usual,
      summary: 'Upload an image for e-mails',
      description:
        'PNG, JPEG, GIF or WebP, at most 2 MB, 6,000 pixels a side and 24 million in all (of all frames). It is re-encoded: only its pixels are kept, no EXIF, XMP or text. Anyone who has its address can read it.',
      otherBodies: {
        'multipart/form-data': z.object({ file: z.string().meta({ format: 'binary' }) }),
      },
      responses: {
        201: { description: 'Stored', schema: single(emailImageSchema), example: { data: image } },
        400: problem('No file, or too many pixels (IMAGE_TOO_LARGE)', 'NO_FILE'),
        409: problem('There are 1,000 images', 'TOO_MANY_IMAGES'),
        413: problem('More than 2 MB', 'BODY_TOO_LARGE'),
        415: problem(
          'Not such an image, whatever its name says, or declared as something else',
          'NOT_AN_IMAGE',
        ),
        503: problem('Supabase Storage does not answer, or is missing', 'STORAGE_UNAVAILABLE'),
      },
    },
  },
  '/api/email-images/{id}': {
    delete: {
      ...usual,
      summary: 'Delete an image',
      description: 'E-mails that were sent with it no longer show it.',
      params: idParams,
      responses: {
        204: { description: 'Deleted' },
        404: notFound,
        409: problem('A design, a template or a brand shows it', 'IMAGE_IN_USE'),
      },
    },
  },
  '/api/email-templates': {
    get: {
      ...usual,
      summary: 'The e-mail templates, by name',
      responses: {
        200: {
          description: 'At most 200; there is one page',
          schema: page(emailTemplateSchema),
          example: { data: [template], next_cursor: null },
        },
      },
    },
    post: {
      ...usual,
      summary: 'Keep a design as a template',
      body: newTemplateSchema,
      bodyExample: { name: 'Cumpleaños', design },
      responses: {
        201: { description: 'Kept', schema: single(emailTemplateSchema), example: { data: template } },
        409: problem('The name is taken; or there are 200 templates (TOO_MANY_TEMPLATES)', 'ALREADY_EXISTS'),
      },
    },
  },
  '/api/email-templates/{id}': {
    patch: {
      ...usual,
      summary: 'Rename a template, or change its design',
      params: idParams,
      body: templateChangesSchema,
      bodyExample: { name: 'Cumpleaños' },
      responses: {
        200: {
          description: 'As it is now',
          schema: single(emailTemplateSchema),
          example: { data: template },
        },
        404: notFound,
        409: taken,
      },
    },
    delete: {
      ...usual,
      summary: 'Delete a template',
      params: idParams,
      responses: { 204: { description: 'Deleted' }, 404: notFound },
    },
  },
})
