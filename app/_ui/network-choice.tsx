import { accountTexts } from '#lib/page/texts/account.ts'

interface NetworkChoiceProps extends React.ComponentProps<'select'> {
  readonly label?: string
  readonly chains: readonly { readonly id: number; readonly name: string }[]
}

export function NetworkChoice({ label = accountTexts.network, chains, ...select }: NetworkChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select {...select}>
        {chains.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
