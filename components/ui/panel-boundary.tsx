'use client'
/* Owns what stands for the inside of a panel that met a fault while it was drawn: the others live on. */
import { Component, type ReactNode } from 'react'
import { ErrorState } from './panel-state'

interface Props {
  title: string
  height?: number
  children: ReactNode
}

// React offers error boundaries as classes only.
export class PanelBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div className="col-span-12">
        <ErrorState
          title={`${this.props.title} met a fault`}
          height={this.props.height ?? 200}
          onRetry={() => this.setState({ failed: false })}
        >
          The run and the other panels go on. If trying again does not help, reload the page.
        </ErrorState>
      </div>
    )
  }
}
