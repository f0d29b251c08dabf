import button from './button.module.css'
import { Spinner } from './spinner.tsx'

interface BusyButtonProps extends React.ComponentProps<'button'> {
  /** What is under way, in words. Until its end a press does nothing, but the focus stays, which `disabled` would take. */
  readonly busy: string | false | null
}

/** A step forward that takes a while. */
export function BusyButton({ busy, onClick, children, ...props }: BusyButtonProps) {
  return (
    <button
      type="button"
      className={button.submit}
      aria-disabled={Boolean(busy)}
      onClick={busy ? undefined : onClick}
      {...props}
    >
      {busy && <Spinner />}
      <span>{busy || children}</span>
    </button>
  )
}
