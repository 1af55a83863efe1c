import { NORTE, type Who } from '../cast'
import { type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'

const WITHOUT: Who[] = ['operaciones', 'boundOperaciones', 'rrhh', 'pr_comunicacion', 'sala', 'fired']
const readBy = (ofNorte: string, ofSur: string) =>
  reads([NORTE, [ofNorte]], [WITHOUT, []], [['stranger'], [ofSur]])

export const emailDesignTables: Record<string, TableCase> = {
  email_images: {
    keys: ['name'],
    reads: readBy('Foto de Norte', 'Foto de Sur'),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      path: `${ids[home]}/00000000-0000-4000-8000-000000000001.png`,
      name: 'Otra',
      content_type: 'image/png',
      ...{ bytes: 1, width: 1, height: 1 },
    }),
    change: () => ({ name: 'Robada' }),
  },
  email_looks: {
    keys: ['sender_name'],
    reads: readBy('Mesa de Norte', 'Mesa de Sur'),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      brand_id: ids[`${home} brand`],
      sender_name: 'Otra',
    }),
    change: () => ({ sender_name: 'Robada' }),
  },
  email_templates: {
    keys: ['name'],
    reads: readBy('Plantilla de Norte', 'Plantilla de Sur'),
    insert: ({ ids }, home) => ({ organization_id: ids[home], name: 'Otra', design: { blocks: [] } }),
    change: () => ({ name: 'Robada' }),
  },
}

export const emailDesignFunctions: Record<string, FunctionCase> = {
  save_email_look: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_brand: null, p_fields: {} }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  delete_email_image: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_id: ids['image de Norte'] }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
}
