import { type SnippetName, snippets } from '#lib/console/snippets.ts'
import type { ReadCall } from '#lib/page/reading.ts'
import { consoleTexts } from '#lib/page/texts/console.ts'
import { copyAndTell } from '../../_home/copy-button.tsx'
import button from '../../_ui/button.module.css'
import styles from './console.module.css'

export interface CopiesProps {
  /** The call in the form; null if it is invalid. */
  readonly call: () => ReadCall | null
  /** The absolute url of the endpoint. */
  readonly url: () => string
  /** The absolute url of this page with the call. */
  readonly link: (call: ReadCall) => string
}

/** Copies the call as a link, a command or code. */
export function Copies({ call, url, link }: CopiesProps) {
  const copy = (text: (call: ReadCall) => string) => {
    const read = call()
    if (read !== null) void copyAndTell(text(read))
  }
  return (
    <div className={styles.copies}>
      <button type="button" className={button.bare} onClick={() => copy(link)}>
        {consoleTexts.share}
      </button>
      {(Object.keys(snippets) as SnippetName[]).map((name) => (
        <button
          key={name}
          type="button"
          className={button.bare}
          onClick={() => copy((read) => snippets[name](url(), read))}
        >
          {consoleTexts.copy(name)}
        </button>
      ))}
    </div>
  )
}
