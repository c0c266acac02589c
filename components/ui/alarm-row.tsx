/* Owns one alarm: what, since when, one action. Invariant: only a bad one that is new is announced (`announce`). */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon'

type AlarmLevel = 'bad' | 'warn' | 'info'

const ICONS: Record<AlarmLevel, IconName> = { bad: 'error', warn: 'warn', info: 'info' }

export function AlarmRow({
  level,
  title,
  children,
  since,
  action,
  announce = false,
}: {
  level: AlarmLevel
  title: string
  children: ReactNode
  since: string
  action?: ReactNode
  announce?: boolean
}) {
  return (
    <div className="alarm" data-level={level} role={announce === true ? 'alert' : undefined}>
      <Icon name={ICONS[level]} />
      <span>
        <b className="font-medium">{title}</b> {children}
      </span>
      <span className="alarm-when">{since}</span>
      {action ?? <span />}
    </div>
  )
}
