/** A calendar event of the demo; times in the location's time zone. */
export interface EventStory {
  title: string
  description: string | null
  /** Days from today. */
  day: number
  from: string
  to: string | null
  /** The beginning of a location's name; absent: the whole group. */
  location?: string
  assignee: string
  /** For a customer. */
  customer?: true
  reminder_minutes?: number
}

export const EVENTS: EventStory[] = [
  {
    title: 'Reunión de jefes de sala',
    description: 'Repaso del mes: esperas, alérgenos y turnos.',
    day: -12,
    from: '10:30',
    to: '11:30',
    assignee: 'operaciones',
  },
  {
    title: 'Cata de vinos de la sierra',
    description: 'Doce plazas. Maridaje de cinco pases.',
    day: -5,
    from: '19:30',
    to: '21:30',
    location: 'Casa Lumbre Chamberí',
    assignee: 'marketing',
  },
  {
    title: 'Inspección de extintores',
    description: null,
    day: -1,
    from: '09:00',
    to: '10:00',
    location: 'Taberna Nébula Gràcia',
    assignee: 'operaciones',
  },
  {
    title: 'Prueba de menú de boda',
    description: 'Vienen los novios y dos familiares. Una persona celíaca.',
    day: 0,
    from: '17:00',
    to: '18:30',
    location: 'Marisma Cabanyal',
    assignee: 'operaciones',
    customer: true,
    reminder_minutes: 120,
  },
  {
    title: 'Briefing del servicio de noche',
    description: 'VIP de hoy, alergias y mesas grandes.',
    day: 0,
    from: '19:15',
    to: '19:30',
    location: 'Casa Lumbre Chamberí',
    assignee: 'operaciones',
    reminder_minutes: 30,
  },
  {
    title: 'Llamar a la clienta de la reseña',
    description: 'Disculparse por la espera e invitarla a volver.',
    day: 1,
    from: '11:00',
    to: null,
    location: 'Casa Lumbre Triana',
    assignee: 'pr',
    customer: true,
  },
  {
    title: 'Sesión de fotos de la carta nueva',
    description: 'Con luz de mañana; cocina prepara ocho platos.',
    day: 3,
    from: '09:30',
    to: '13:00',
    location: 'Marisma Las Canteras',
    assignee: 'pr',
    reminder_minutes: 1440,
  },
  {
    title: 'Formación en alérgenos',
    description: 'Para las cuatro incorporaciones nuevas.',
    day: 5,
    from: '10:00',
    to: '12:00',
    location: 'Marisma Cabanyal',
    assignee: 'rrhh',
  },
  {
    title: 'Comida de empresa, 30 personas',
    description: 'Menú cerrado. Factura a nombre de la empresa.',
    day: 8,
    from: '14:00',
    to: '17:00',
    location: 'Casa Lumbre Chamberí',
    assignee: 'operaciones',
    customer: true,
    reminder_minutes: 2880,
  },
  {
    title: 'Noche de jazz',
    description: 'Trío en directo. Segundo turno a las 22:30.',
    day: 13,
    from: '21:00',
    to: '23:30',
    location: 'Taberna Nébula Gràcia',
    assignee: 'marketing',
  },
  {
    title: 'Entrevista con la revista de viajes',
    description: 'Jefa de cocina y fotos del comedor.',
    day: 20,
    from: '11:30',
    to: '13:00',
    location: 'Casa Lumbre Triana',
    assignee: 'pr',
  },
  {
    title: 'Comité de dirección',
    description: 'Cierre del mes, apertura de la temporada y presupuesto.',
    day: 27,
    from: '09:30',
    to: '11:30',
    assignee: 'ceo',
  },
  {
    title: 'Presentación de la carta de temporada',
    description: 'Con prensa y vecinos. Aforo de sesenta.',
    day: 34,
    from: '20:00',
    to: '22:30',
    location: 'Marisma Cabanyal',
    assignee: 'pr',
  },
]
