import type { TrailStep } from './filter-position.ts'

/** What one poll tells. */
interface Telling {
  /** JSON text of a list. */
  readonly raw: string
  /** Blocks that are gone and have not been taken back yet, ascending. */
  readonly unread: readonly TrailStep[]
  readonly blocks: readonly TrailStep[]
  /** What is left for the next poll begins here; null: nothing is. */
  readonly rest: 'lost' | TrailStep | null
}

interface Tellable {
  /** Blocks that have been told and are gone, ascending. */
  readonly gone: readonly TrailStep[]
  readonly blocks: readonly TrailStep[]
  /** What is told of a new block. */
  readonly newsOf: (step: TrailStep) => readonly unknown[]
}

export const nothingNew = '[]'

/** As much as one answer holds, block by block: first what is lost, the newest first, then what is new. */
export function tellingOf({ gone, blocks, newsOf }: Tellable, bytesMax: number): Telling {
  const texts = [...gone.toReversed().map(lossOf), ...blocks.map(newsOf)].map((items) =>
    items.map((item) => JSON.stringify(item)).join(),
  )
  let bytes = 1
  const over = texts.findIndex((text) => {
    bytes += text === '' ? 0 : text.length + 1
    return bytes > bytesMax
  })
  const fitting = over < 0 ? texts : texts.slice(0, over)
  return {
    raw: `[${fitting.filter((text) => text !== '').join()}]`,
    unread: gone.slice(0, Math.max(0, gone.length - fitting.length)),
    blocks: blocks.slice(0, Math.max(0, fitting.length - gone.length)),
    rest: over < 0 ? null : (blocks[over - gone.length] ?? 'lost'),
  }
}

/** What was told of a block that is gone, the newest first. */
function lossOf({ logs }: TrailStep): readonly unknown[] {
  return logs.toReversed().map((log) => ({ ...log, removed: true }))
}
