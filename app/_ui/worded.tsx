import { Fragment } from 'react'

interface WordedProps {
  readonly words: (...figures: string[]) => string
  readonly figures: readonly string[]
}

/** Holds the place of the first figure in its sentence: a character that no text has. */
const firstPlace = 0xe000

/** A sentence whose figures are elements of their own: the browser's translation changes the words around them alone. */
export function Worded({ words, figures }: WordedProps) {
  const places = figures.map((_, at) => String.fromCodePoint(firstPlace + at))
  // Each but the first begins with the place of a figure, so that no two are alike.
  const parts = words(...places).split(/(?=[\uE000-\uE0FF])/)
  return (
    <span>
      {parts.map((part) => {
        const figure = figures[(part.codePointAt(0) ?? 0) - firstPlace]
        const rest = figure === undefined ? part : part.slice(1)
        return (
          <Fragment key={`${part} ${figure}`}>
            {figure !== undefined && <span translate="no">{figure}</span>}
            {rest !== '' && <span>{rest}</span>}
          </Fragment>
        )
      })}
    </span>
  )
}
