type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
type Texts = Readonly<Record<string, readonly string[]>>

/** Types of inputs that are never stored: secrets, files, and hidden ones, which follow their component's state. */
const LEFT_OUT = ['password', 'file', 'hidden', 'submit', 'button', 'reset']
/** The names of inputs that belong to the form's questions, not to its record. */
export const QUESTION = 'question:'

/** Returns the texts of a form's named fields; of checkboxes, the ticked ones. */
export function readFields(form: HTMLFormElement): Record<string, string[]> {
  const texts: Record<string, string[]> = {}
  for (const field of fieldsOf(form)) {
    texts[field.name] ??= []
    if (!isBox(field) || field.checked) texts[field.name]?.push(field.value)
  }
  return texts
}

/** Writes these texts into the fields and lets React know. */
export function fillFields(form: HTMLFormElement, texts: Texts): void {
  const seen: Record<string, number> = {}
  for (const field of fieldsOf(form)) {
    const wanted = texts[field.name]
    if (!wanted) continue
    if (isBox(field)) {
      if (field.checked !== wanted.includes(field.value)) field.click()
      continue
    }
    const place = seen[field.name] ?? 0
    seen[field.name] = place + 1
    const text = wanted[place]
    if (text !== undefined && field.value !== text) type(field, text)
  }
}

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter((element): element is Field => {
    if (!/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName)) return false
    const { name, type, autocomplete } = element as Field
    if (name === '' || name.startsWith(QUESTION) || LEFT_OUT.includes(type)) return false
    return !/password|one-time-code/.test(autocomplete)
  })
}

const isBox = (field: Field): field is HTMLInputElement => field.type === 'checkbox' || field.type === 'radio'

function type(field: Field, text: string): void {
  // React overrides the property on the element itself, and would ignore a value set through it.
  const prototype: object = Object.getPrototypeOf(field)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
}
