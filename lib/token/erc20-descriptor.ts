import type { Descriptor } from '@ethereum-sourcify/clear-signing'

const amount = {
  path: 'amount',
  label: 'Amount',
  format: 'tokenAmount',
  params: { tokenPath: '@.to' },
} as const
const address = (path: string, label: string) => ({ path, label, format: 'addressName' }) as const

/** The calls of an ERC-20 beside transfer and approve, which reviews know themselves. */
export const erc20Descriptor = {
  display: {
    formats: {
      'transferFrom(address sender, address recipient, uint256 amount)': {
        intent: 'Move tokens',
        interpolatedIntent: 'Move {amount} from {sender} to {recipient}',
        fields: [amount, address('sender', 'From'), address('recipient', 'To')],
      },
      'increaseAllowance(address spender, uint256 amount)': {
        intent: 'Raise an allowance',
        interpolatedIntent: 'Let {spender} take {amount} more',
        fields: [amount, address('spender', 'Spender')],
      },
      'decreaseAllowance(address spender, uint256 amount)': {
        intent: 'Lower an allowance',
        interpolatedIntent: 'Let {spender} take {amount} less',
        fields: [amount, address('spender', 'Spender')],
      },
      'permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)':
        {
          intent: 'Use a signed allowance',
          interpolatedIntent: 'Let {spender} take {amount} of {owner}',
          fields: [amount, address('spender', 'Spender'), address('owner', 'Owner')],
        },
      'burn(uint256 amount)': {
        intent: 'Destroy tokens',
        interpolatedIntent: 'Destroy {amount}',
        fields: [amount],
      },
    },
  },
} as const satisfies Descriptor
