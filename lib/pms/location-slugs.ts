/** The PMS slug of each location by its name here. A location not named uses its `pms_id`. */
const LOCATION_SLUGS: Record<string, string> = {
  'Casa Lumbre Chamberí': 'casa-lumbre-chamberi',
  'Casa Lumbre Triana': 'casa-lumbre-triana',
  'Marisma Cabanyal': 'marisma-cabanyal',
  'Marisma Las Canteras': 'marisma-las-canteras',
  'Taberna Nébula Gràcia': 'taberna-nebula-gracia',
}

/** The slug under which the PMS knows a location. */
export function pmsSlug(location: { name: string; pms_id: string }): string {
  return LOCATION_SLUGS[location.name] ?? location.pms_id
}
