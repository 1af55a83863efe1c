/** The product's logo: a coffee cup. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flex: 'none' }}>
      <rect width="32" height="32" rx="8" fill="#a94a34" />
      <path d="M8 12h13v6a6 6 0 0 1-6 6h-1a6 6 0 0 1-6-6z" fill="#fff" />
      <path d="M21 13.5h1.5a2.75 2.75 0 0 1 0 5.5H21" fill="none" stroke="#fff" strokeWidth="2" />
      <path d="M11.5 6.5v2.5M15.5 6.5v2.5" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
