import { Address } from './address.tsx'

const addressLength = 42

/** A `sentence` whose figures are elements of their own: the browser's translation changes the words around them alone. */
export function Worded({ text }: { text: string | false | null | undefined }) {
  if (!text) return null
  // Words and figures by turns.
  const parts = text.split(/\u2068([^\u2069]*)\u2069/).map((part, index) => {
    const key = part + index
    return index % 2 === 0 ? (
      part && <span key={key}>{part}</span>
    ) : (
      <span key={key} translate="no">
        {part.length === addressLength ? <Address address={part} /> : part}
      </span>
    )
  })
  return <span>{parts}</span>
}
