/* Owns the ruled sheet of a page and the line between its panels that a fault does not cross: each child has a boundary of its own. */
import { Children, type ComponentProps, type ReactNode } from 'react'
import { PanelBoundary } from './panel-boundary'

/** Panels, one under the other; what one of them throws stays in its place. */
export function Guarded({ children }: { children: ReactNode }) {
  return Children.map(children, (child) => <PanelBoundary title="This panel">{child}</PanelBoundary>)
}

/** Twelve columns of panels. */
export function Sheet({ children, ...rest }: Omit<ComponentProps<'div'>, 'className'>) {
  return (
    <div className="sheet" {...rest}>
      <Guarded>{children}</Guarded>
    </div>
  )
}

/** Half a sheet of short panels, one under the other, beside a long one. */
export function SheetColumn({ children }: { children: ReactNode }) {
  return (
    <div className="col-span-6">
      <Guarded>{children}</Guarded>
    </div>
  )
}
