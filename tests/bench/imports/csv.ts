/** Customers in the database before the first import. */
export const KNOWN = 200_000
export const ROWS = 5000
const HEADER = 'email;phone;código país;nombre;apellido;cumpleaños;empresa;cargo;dirección;etiquetas'
const BYTES = 50 * 1024 * 1024

/** 5,000 rows of a round, half of them customers that are known (each round others), all with news. */
export function mixedFile(round: number): string {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const known = index % 2 === 0
    const number = known ? round * ROWS + index + 1 : KNOWN + round * ROWS + index + 1
    const who = known ? `conocido${number}@banco.example` : `nuevo${number}@banco.example`
    const phone = `6${String(number).padStart(8, '0')}`
    const birthday = `${String((index % 28) + 1).padStart(2, '0')}/0${(index % 9) + 1}/19${60 + (index % 40)}`
    return `${who};${phone};34;Nombre ${number};Apellido ${number};${birthday};Empresa ${number};Cargo;Calle ${number};a,b`
  })
  return [HEADER, ...rows, ''].join('\r\n')
}

/** 50 MB in some 600,000 rows: all but 5,000 are only counted. */
export function longFile(): string {
  const row = (n: number) =>
    `largo${n}@banco.example;;;Nombre ${n};Apellido ${n};01/02/1980;Empresa;Cargo;Calle;a`
  const lines = [HEADER]
  for (let size = 0; size < BYTES; size += (lines.at(-1)?.length ?? 0) + 1) lines.push(row(lines.length))
  return lines.join('\n')
}

/** 50 MB in 5,000 rows: most of each is in a column that is not imported. */
export function wideFile(): string {
  const filler = 'Ñandú € '.repeat(Math.floor(BYTES / ROWS / 12))
  const rows = Array.from({ length: ROWS }, (_, n) => `ancho${n}@banco.example;Nombre ${n};${n}${filler}`)
  return ['email;nombre;otra', ...rows].join('\n')
}
