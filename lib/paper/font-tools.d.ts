declare module 'subset-font' {
  /** Makes a font with the glyphs of these characters alone, at fixed places of its axes. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: 'truetype'; variationAxes?: Record<string, number> },
  ): Promise<Buffer>
}

declare module 'fontverter' {
  const fontverter: { convert: (font: Buffer, format: 'truetype') => Promise<Buffer> }
  export default fontverter
}
