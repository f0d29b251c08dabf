import type { ParamHelp } from '#lib/console/methods.ts'
import { consoleTexts } from '#lib/page/texts/console.ts'
import form from '../../_ui/form.module.css'
import { useEntered } from '../../_ui/use-entered.ts'
import styles from './console.module.css'

export interface ParamFieldProps {
  readonly id: string
  readonly param: ParamHelp
  readonly value: string
  readonly fault: string | null
  readonly onChange: (value: string) => void
}

/** The field of one param, by kind: a select, a JSON textarea or a text input. */
export function ParamField({
  id,
  param: { name, kind, optional, example },
  value,
  fault,
  onChange,
}: ParamFieldProps) {
  const ref = useEntered<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(value, onChange)
  const shared = {
    ref,
    id,
    value,
    'aria-invalid': fault !== null,
    'aria-describedby': fault === null ? undefined : `${id}-fault`,
    spellCheck: false,
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  } as const
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        <span translate="no">{name}</span>
        <small>
          {[kind === 'json' ? 'JSON' : kind, ...(optional ? [consoleTexts.optional] : [])].join(', ')}
        </small>
      </label>
      {kind === 'flag' ? (
        <select {...shared}>
          <option value="false">{consoleTexts.no}</option>
          <option value="true">{consoleTexts.yes}</option>
        </select>
      ) : kind === 'json' ? (
        <textarea {...shared} rows={Math.min(10, Math.max(2, Math.ceil(value.length / 70)))} />
      ) : (
        <input {...shared} placeholder={example} />
      )}
      {fault !== null && (
        <p id={`${id}-fault`} className={form.error} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
