import form from './form.module.css'

interface ChoiceProps {
  readonly className?: string | undefined
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  /** Its label. */
  readonly children: React.ReactNode
}

/** A checkbox. */
export function Choice({ className = form.choice, isChecked, onChange, children }: ChoiceProps) {
  return (
    <label className={className}>
      <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
      <span>{children}</span>
    </label>
  )
}
