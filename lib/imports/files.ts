/** The files that the base form of POST /api/admin/import-csv reads from IMPORT_DIR: one a seeded location. */
export const IMPORT_FILES = [
  { file: 'casa-lumbre-chamberi.csv', location: 'Casa Lumbre Chamberí' },
  { file: 'casa-lumbre-triana.csv', location: 'Casa Lumbre Triana' },
  { file: 'marisma-cabanyal.csv', location: 'Marisma Cabanyal' },
  { file: 'marisma-las-canteras.csv', location: 'Marisma Las Canteras' },
  { file: 'taberna-nebula-gracia.csv', location: 'Taberna Nébula Gràcia' },
] as const
