import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = {
  /** Where the reader is: going elsewhere begins anew. */
  path?: string
  children: ReactNode
}

/**
 * Stands in for whatever breaks below it, which would else leave nothing on the screen. React has no
 * way but a class to do so.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override componentDidUpdate({ path }: ErrorBoundaryProps) {
    if (this.state.isBroken && path !== this.props.path) this.setState({ isBroken: false })
  }

  override render() {
    return this.state.isBroken ? <BrokenPage /> : this.props.children
  }
}

function BrokenPage() {
  return (
    <div className="note bad" role="alert">
      <div>
        <h1>This page broke</h1>
        <p>A part of it could not be loaded, or has a fault. What was saved before is kept.</p>
      </div>
      <button type="button" className="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </div>
  )
}
