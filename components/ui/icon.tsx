/* Owns every icon, drawn on 16 px with a 1.5 px line. Invariant: decorative; the word or label beside it says what it means. */

const PATHS = {
  ban: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M3.8 3.8l8.4 8.4',
  boost: 'M8 13V3.5M4 7.5l4-4 4 4',
  check: 'M3 8.5 6.4 12 13 4.6',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.8V8l2.4 1.6',
  close: 'M4 4l8 8M12 4l-8 8',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  down: 'M4.5 6.5 8 10l3.5-3.5',
  environment: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11',
  error: 'M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4zM8 5v3.6M8 11v.1',
  export: 'M8 2.5v7.5M5 7.2 8 10l3-2.8M2.8 12.8h10.4',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  graph:
    'M4 4a1.6 1.6 0 1 0 0 .1M12.4 6.2a1.6 1.6 0 1 0 0 .1M6.6 12.4a1.6 1.6 0 1 0 0 .1M4.4 4.4l6 1.5M3.6 5.4l1.2 5.6M10 7.2l-3.6 4',
  history: 'M3.2 8a4.8 4.8 0 1 1 1.5 3.5M3 4.5V8h3.5M8 5.5V8l1.8 1.2',
  info: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8M8 7.4v3.8M8 4.9v.1',
  left: 'M9.5 4.5 6 8l3.5 3.5',
  minus: 'M4.5 8h7',
  moon: 'M13 9.6A5.6 5.6 0 1 1 6.4 3a4.4 4.4 0 0 0 6.6 6.6',
  more: 'M3.2 7.6h.9v.9h-.9zM7.6 7.6h.9v.9h-.9zM12 7.6h.9v.9H12z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  pin: 'M5.5 2.5h5M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5',
  play: 'M5 3.2 12.5 8 5 12.8z',
  plus: 'M8 3v10M3 8h10',
  right: 'M6.5 4.5 10 8l-3.5 3.5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4 14 14',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  system: 'M2.2 3h11.6v8H2.2zM6 13.5h4',
  table: 'M2 3.5h12v9H2zM2 6.5h12M6 6.5v6',
  tick: 'M4 8.4 6.8 11 12 5.4',
  undo: 'M3.5 6.5h6a3.2 3.2 0 0 1 0 6.5H6M6 3.5l-2.8 3L6 9.4',
  up: 'M4.5 9.5 8 6l3.5 3.5',
  upload: 'M8 10V2.5M5 5.3 8 2.5l3 2.8M2.8 12.8h10.4',
  warn: 'M8 2.5 14.2 13.5H1.8zM8 6.8v3M8 11.6v.1',
} as const

export type IconName = keyof typeof PATHS

export function Icon({
  name,
  className = '',
  'data-for': dataFor,
}: {
  name: IconName
  className?: string
  'data-for'?: string
}) {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 16 16" aria-hidden="true" data-for={dataFor}>
      <path d={PATHS[name]} />
    </svg>
  )
}
