import { Component, type ReactNode } from 'react'
import * as texts from '#texts/frame.ts'

type ErrorBoundaryProps = {
  /** Current path. A change resets the error. */
  path?: string
  children: ReactNode
}

/** Shows an error page if rendering fails. React only supports this in a class. */
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
        <h1>{texts.somethingWentWrong}</h1>
        <p>{texts.partFailed}</p>
      </div>
      <button type="button" className="button" onClick={() => location.reload()}>
        {texts.reloadPage}
      </button>
    </div>
  )
}
