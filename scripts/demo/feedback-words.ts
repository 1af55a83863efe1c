/** What the demo's guests write, by their stars. */
export const WORDS = {
  1: [
    'Cuarenta minutos esperando la mesa con reserva hecha. No volveremos.',
    'El pescado llegó frío y, cuando lo dijimos, nadie nos hizo caso.',
    'Nos cobraron dos botellas que no pedimos y tardaron en arreglarlo.',
  ],
  2: [
    'La comida bien, pero el servicio muy lento: casi una hora entre el primero y el segundo.',
    'Mucho ruido y la mesa pegada a la puerta de la cocina. Así no se puede hablar.',
    'El arroz venía pasado y no quedaba ningún postre de la carta.',
    'Avisamos de una alergia al reservar y en sala no sabían nada.',
  ],
  3: [
    'Correcto, sin más. Por ese precio esperaba algo especial.',
    'Muy ricas las croquetas; el resto, normal.',
    'Buen trato, aunque tardaron bastante en tomarnos nota.',
    'La terraza preciosa, pero hacía frío y no había estufas.',
  ],
  4: [
    'Muy buena cena. La carta de vinos podría ser un poco más amplia.',
    'Todo muy rico y el personal muy atento. Un poco de ruido a última hora.',
    'El bacalao, estupendo. Volveremos con los niños.',
    'Repetiremos, sobre todo por la terraza.',
    'Gran relación calidad-precio en el menú de mediodía.',
  ],
  5: [
    'El mejor arroz que hemos comido este año. Gracias por el detalle del cumpleaños.',
    'Nos trataron como en casa. Marta, la camarera, un encanto.',
    'Las alcachofas, de diez. Y el vino que nos recomendaron, un acierto.',
    'Celebramos el aniversario de mis padres y salió perfecto.',
    'Como siempre, un placer. Ya tenemos mesa para el mes que viene.',
    'Cuidaron mucho la alergia de mi hija, se agradece de verdad.',
    'Servicio impecable y la tarta de queso, espectacular.',
  ],
} as const

/** What the restaurant writes back to who was not content. */
export const REPLIES = {
  1: [
    'Sentimos mucho la visita que tuviste. Lo hemos hablado con el equipo y vamos a revisarlo. Gracias por contárnoslo.',
    'Te pedimos disculpas: no es así como queremos recibirte. Gracias por decírnoslo con tanta claridad.',
  ],
  2: [
    'Gracias por contárnoslo. Sentimos que la noche no saliera como esperabas y lo estamos revisando con el equipo.',
    'Lo sentimos. Hemos tomado nota de lo que nos dices y ya está hablado con el equipo.',
  ],
  3: ['Gracias por tu respuesta. Tomamos nota para que la próxima visita sea mejor.'],
} as const
