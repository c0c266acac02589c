/* Owns the button and the link that looks like one. Invariant: one primary a page; an icon alone has a label. */
import Link from 'next/link'
import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon'

type Look = { kind?: 'default' | 'primary' | 'quiet' | 'danger'; size?: 'normal' | 'small'; icon?: IconName }

function attributes({ kind = 'default', size = 'normal' }: Look) {
  return {
    'data-kind': kind === 'default' ? undefined : kind,
    'data-size': size === 'normal' ? undefined : size,
  }
}

export function Button({ kind, size, icon, children, className = '', ...rest }: Look & ComponentProps<'button'>) {
  return (
    <button type="button" className={`btn ${className}`} {...attributes({ kind, size })} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** An icon alone: `label` is what a screen reader and the hover say. */
export function IconButton({
  kind,
  size,
  icon,
  label,
  className = '',
  ...rest
}: Omit<Look, 'icon'> & { icon: IconName; label: string } & Omit<ComponentProps<'button'>, 'children' | 'aria-label'>) {
  return (
    <button
      type="button"
      className={`btn ${className}`}
      data-icon=""
      aria-label={label}
      title={label}
      {...attributes({ kind, size })}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}

export function ButtonLink({
  kind,
  size,
  icon,
  children,
  className = '',
  ...rest
}: Look & ComponentProps<typeof Link>) {
  return (
    <Link className={`btn ${className}`} {...attributes({ kind, size })} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </Link>
  )
}
