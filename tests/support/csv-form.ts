/** A multipart form with a CSV file: text (in UTF-8) or bytes, and more fields behind it. */
export function csvForm(
  content: string | Uint8Array,
  fields: Record<string, string> = {},
  name = 'clientes.csv',
): FormData {
  const form = new FormData()
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  form.append('file', new File([bytes], name, { type: 'text/csv' }))
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  return form
}

/** A file with so many customers, by e-mail. */
export function manyCustomers(count: number, domain = 'correo.example'): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `cliente${index + 1}@${domain};Nombre ${index + 1}`,
  )
  return ['email;nombre', ...rows, ''].join('\r\n')
}
