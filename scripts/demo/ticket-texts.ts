/** A ticket of the demo; times in hours before now. */
export interface TicketStory {
  subject: string
  description: string
  status: 'open' | 'in_progress' | 'waiting' | 'resolved' | 'closed'
  priority: 'low' | 'medium' | 'high' | 'urgent'
  hoursAgo: number
  resolvedHoursAgo?: number
  /** The beginning of a location's name; absent: the whole group. */
  location?: string
  requester: string
  assignee?: string
  /** About a customer. */
  customer?: true
  comments?: [author: string, hoursAgo: number, body: string][]
}

/** The oldest first, as their numbers go. People are named by the part before the @ of their e-mail. */
export const TICKETS: TicketStory[] = [
  {
    subject: 'Actualizar la carta de alérgenos de otoño',
    description:
      'Faltan los dos platos nuevos de setas y el postre de castaña en la carta de alérgenos de sala.',
    status: 'closed',
    priority: 'medium',
    hoursAgo: 600,
    resolvedHoursAgo: 582,
    location: 'Casa Lumbre Chamberí',
    requester: 'operaciones',
    assignee: 'marketing',
    comments: [
      ['marketing', 590, 'Tengo los textos de cocina. La maqueto hoy.'],
      ['operaciones', 582, 'Impresa y en todas las mesas. Gracias.'],
    ],
  },
  {
    subject: 'Cliente pide factura de una comida de septiembre',
    description: 'Comida de empresa, doce personas. Solo encuentra el resguardo de la tarjeta.',
    status: 'closed',
    priority: 'low',
    hoursAgo: 420,
    resolvedHoursAgo: 380,
    location: 'Marisma Cabanyal',
    requester: 'operaciones',
    assignee: 'admin',
    customer: true,
    comments: [['admin', 381, 'Factura rehecha y enviada por correo al cliente.']],
  },
  {
    subject: 'La terminal de pago de la terraza se desconecta',
    description: 'Pierde la red cada dos o tres cobros. Con el cable del mostrador va bien.',
    status: 'resolved',
    priority: 'high',
    hoursAgo: 170,
    resolvedHoursAgo: 165,
    location: 'Marisma Las Canteras',
    requester: 'operaciones',
    assignee: 'super',
    comments: [
      ['super', 169, '¿Puedes decirme qué luz marca cuando se cae?'],
      ['operaciones', 168, 'Naranja fija. Al apagarla y encenderla vuelve durante una hora.'],
      ['super', 165, 'Era el repetidor de la terraza. Cambiado y probado con tres cobros.'],
    ],
  },
  {
    subject: 'Solicitud de entrevista para una revista de viajes',
    description: 'Quieren hablar con jefa de cocina y hacer fotos un martes por la mañana.',
    status: 'resolved',
    priority: 'medium',
    hoursAgo: 150,
    resolvedHoursAgo: 130,
    location: 'Casa Lumbre Triana',
    requester: 'pr',
    assignee: 'pr',
    comments: [['pr', 130, 'Confirmado para el mes que viene; está en el calendario.']],
  },
  {
    subject: 'Pedir presupuesto para las lámparas del comedor',
    description: 'Tres lámparas hacen ruido. Dos proveedores, por favor.',
    status: 'waiting',
    priority: 'low',
    hoursAgo: 60,
    location: 'Taberna Nébula Gràcia',
    requester: 'admin',
    assignee: 'operaciones',
    comments: [
      ['operaciones', 30, 'Uno ya ha contestado: 1.140 €. Espero al segundo, que pasa mañana a medir.'],
    ],
  },
  {
    subject: 'Horario de Navidad y cierre de fin de año',
    description: 'Decidir qué noches abrimos y a qué hora cierra cocina en cada local.',
    status: 'in_progress',
    priority: 'low',
    hoursAgo: 52,
    requester: 'ceo',
    assignee: 'rrhh',
    comments: [
      ['rrhh', 40, 'He pedido a cada local sus preferencias de turnos.'],
      ['operaciones', 26, 'Chamberí y Triana abren las dos noches. Faltan los de Marisma.'],
    ],
  },
  {
    subject: 'Clienta con dos fichas en la base',
    description: 'Da dos correos distintos según el local. Comprobar cuál usa y fusionar las fichas.',
    status: 'in_progress',
    priority: 'medium',
    hoursAgo: 27,
    location: 'Casa Lumbre Chamberí',
    requester: 'operaciones',
    assignee: 'marketing',
    customer: true,
    comments: [
      ['marketing', 20, 'Tiene dos fichas con correos distintos. La llamo para ver con cuál se queda.'],
    ],
  },
  {
    subject: 'Formación en alérgenos para el personal nuevo',
    description: 'Cuatro incorporaciones sin el curso. Hace falta antes de que entren en sala.',
    status: 'waiting',
    priority: 'medium',
    hoursAgo: 22,
    location: 'Marisma Cabanyal',
    requester: 'rrhh',
    assignee: 'rrhh',
    comments: [['rrhh', 6, 'La academia propone el jueves a las 10. Pendiente de que confirme el local.']],
  },
  {
    subject: 'Queja por la espera del sábado',
    description: 'Mesa a las 21:00, se sentaron a las 21:40 y no se les ofreció nada. Pide que la llamemos.',
    status: 'open',
    priority: 'high',
    hoursAgo: 9.5,
    location: 'Casa Lumbre Triana',
    requester: 'pr',
    assignee: 'operaciones',
    customer: true,
    comments: [['pr', 9, 'También ha escrito una reseña. No contesto hasta que habléis con ella.']],
  },
  {
    subject: 'No llegan las reservas de la página web desde las nueve',
    description: 'El sistema de reservas las muestra, pero aquí no aparecen hasta sincronizar a mano.',
    status: 'in_progress',
    priority: 'high',
    hoursAgo: 6.5,
    location: 'Taberna Nébula Gràcia',
    requester: 'operaciones',
    assignee: 'super',
    comments: [['super', 5, 'Veo cortes en la conexión del proveedor. Les he abierto incidencia.']],
  },
  {
    subject: 'Proveedor de pescado no sirve mañana',
    description: 'Hay que cambiar el menú del día o encontrar otro antes del pedido de esta noche.',
    status: 'open',
    priority: 'high',
    hoursAgo: 3,
    location: 'Marisma Cabanyal',
    requester: 'operaciones',
  },
  {
    subject: 'Fuga de agua en el aseo de la planta baja',
    description: 'Cerrado al público. El fontanero dice que viene en una hora.',
    status: 'in_progress',
    priority: 'urgent',
    hoursAgo: 1.4,
    location: 'Casa Lumbre Chamberí',
    requester: 'operaciones',
    assignee: 'admin',
    comments: [['admin', 1, 'Avisado también el seguro. Carteles puestos en la puerta.']],
  },
  {
    subject: 'Grupo de 24 personas para una despedida',
    description:
      'Quieren menú cerrado con opción sin gluten y poder poner música. ¿Privado o comedor entero?',
    status: 'open',
    priority: 'medium',
    hoursAgo: 1.1,
    location: 'Marisma Las Canteras',
    requester: 'marketing',
    customer: true,
  },
  {
    subject: 'Fotos nuevas de los platos para la web',
    description: 'Las actuales son de la carta de verano.',
    status: 'open',
    priority: 'low',
    hoursAgo: 0.6,
    requester: 'marketing',
    assignee: 'pr',
  },
]
