/** The files that POST /api/admin/import-csv without an upload reads from IMPORT_DIR, one for each demo location. */
export const IMPORT_FILES = [
  { file: 'casa-lumbre-chamberi.csv', location: 'Casa Lumbre Chamberí' },
  { file: 'casa-lumbre-triana.csv', location: 'Casa Lumbre Triana' },
  { file: 'marisma-cabanyal.csv', location: 'Marisma Cabanyal' },
  { file: 'marisma-las-canteras.csv', location: 'Marisma Las Canteras' },
  { file: 'taberna-nebula-gracia.csv', location: 'Taberna Nébula Gràcia' },
] as const
