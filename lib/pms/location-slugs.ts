/** The slug in the PMS, and the average spend (EUR a guest), of the locations that seeding creates, by their names. */
export const LOCATION_SLUGS: Readonly<Record<string, { slug: string; averageSpend: number }>> = {
  'Casa Lumbre Chamberí': { slug: 'casa-lumbre-chamberi', averageSpend: 42 },
  'Casa Lumbre Triana': { slug: 'casa-lumbre-triana', averageSpend: 36 },
  'Marisma Cabanyal': { slug: 'marisma-cabanyal', averageSpend: 48 },
  'Marisma Las Canteras': { slug: 'marisma-las-canteras', averageSpend: 33 },
  'Taberna Nébula Gràcia': { slug: 'taberna-nebula-gracia', averageSpend: 24 },
}
