interface WordedProps {
  readonly words: (...figures: string[]) => string
  readonly figures: readonly string[]
}

/** Holds the place of the first figure in its sentence: a character that no text has. */
const firstPlace = 0xe000

/** A sentence whose figures are elements of their own: the browser's translation changes the words around them alone. */
export function Worded({ words, figures }: WordedProps) {
  const places = figures.map((_, at) => String.fromCodePoint(firstPlace + at))
  const parts = words(...places)
    .split(/([\uE000-\uE0FF])/)
    .filter((part) => part !== '')
  return (
    <span>
      {parts.map((part, at) => {
        const figure = figures[(part.codePointAt(0) ?? 0) - firstPlace]
        const text = figure ?? part
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same figure may be there twice.
          <span key={`${at} ${text}`} translate={figure === undefined ? undefined : 'no'}>
            {text}
          </span>
        )
      })}
    </span>
  )
}
