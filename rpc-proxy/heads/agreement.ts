import type { BlockId } from '../events.ts'
import { createGap } from './gap.ts'
import type { Look } from './headers.ts'
import { type AgreedChain, createAgreedChain } from './known-blocks.ts'
import type { LookPorts, Tag } from './look.ts'
import { createSetBack } from './set-back.ts'
import { type AgreedBlock, createViews, highestShown, rankedNumber, shownAt, type Views } from './views.ts'

/** An agreed block and who agreed on it. */
export interface Agreed {
  readonly block: AgreedBlock
  /** Places of the voters that showed this hash, and of all that were asked. */
  readonly voters: readonly number[]
  readonly asked: readonly number[]
  /** When a look last found a quorum on its chain, at this block or a little below it. */
  readonly seenMs: number
  /** When a quorum last showed this very block. */
  readonly shownMs: number
}

/** What is agreed, from look to look. */
export interface Agreement {
  readonly chain: AgreedChain
  readonly of: (tag: Tag) => Agreed | null
  /** What the nodes have shown under this tag. */
  readonly views: (tag: Tag) => Views
  readonly admit: (tag: Tag, look: Look) => boolean
  /** Takes in a block that a quorum gave for its number. */
  readonly learn: (block: AgreedBlock) => void
  /** A look at the latest block has ended with an agreed head; these were asked. */
  readonly looked: (asked: readonly number[]) => void
}

interface AgreementOptions {
  /** A head that no quorum has shown for so long, while looks found a lower block, is given up for that block. */
  readonly resetMs: number
  /** How far a look walks back for a block that a quorum shows. */
  readonly walkMax: number
  /** A head that has jumped is held against the one before it so often. */
  readonly gapEveryMs: number
}

export interface AgreementPorts
  extends Pick<LookPorts, 'clock' | 'voters' | 'look' | 'isQuorum' | 'operatorOf'> {
  readonly onHead: (agreed: Agreed) => void
  /** `isDeep`: of unknown depth; final blocks may be gone too. */
  readonly onReorg: (from: BlockId, to: BlockId, isDeep: boolean) => void
  /** Gives up one ask each. */
  readonly open: Set<() => void>
}

export function createAgreement(
  { resetMs, walkMax, gapEveryMs }: AgreementOptions,
  ports: AgreementPorts,
): Agreement {
  const { clock } = ports
  const chain = createAgreedChain()
  const views: Record<Tag, Views> = { latest: createViews(), safe: createViews(), finalized: createViews() }
  const agreed: Record<Tag, Agreed | null> = { latest: null, safe: null, finalized: null }
  const setBack = createSetBack(resetMs)
  const gap = createGap(
    {
      clock,
      open: ports.open,
      look: ports.look,
      isQuorum: (voters) => ports.isQuorum(voters, false),
      onParted(from) {
        chain.part()
        parted(from)
      },
    },
    { everyMs: gapEveryMs },
  )

  /**
   * Admits the highest block that a quorum shows. True when one was found: by voters who have spoken of it or of what
   * comes after it in this very look, for what the silent ones showed once says nothing of now.
   */
  function admit(tag: Tag, look: Look): boolean {
    const { headers, asked, heard } = look
    const shown = views[tag].shown()
    const isQuorum = (voters: readonly number[]) => ports.isQuorum(voters, tag !== 'latest')
    const speaking = shown.filter(({ voter }) => heard.has(voter))
    const to = rankedNumber(speaking, isQuorum)
    const voices = {
      hasSpoken: (voter: number, number: number) => (heard.get(voter) ?? -1) >= number,
      operatorOf: ports.operatorOf,
    }
    const support =
      to === null ? null : highestShown(shown, { from: Math.max(to - walkMax, 0), to, isQuorum, ...voices })
    if (support === null) return false
    const next: Agreed = {
      block: headers.agreed(support.block, isQuorum),
      voters: support.voters,
      asked,
      seenMs: clock.now(),
      shownMs: clock.now(),
    }
    const known = agreed[tag]
    const ours = tag === 'latest' ? chain.hashAt(next.block.number) : null
    if (
      known !== null &&
      next.block.number < known.block.number &&
      (ours === null || ours === next.block.hash)
    ) {
      const isLowered = tag === 'latest' && setBack.lowered(clock.now())
      // A head is given up only after every node has been asked.
      if (isLowered && !look.isComplete) return false
      if (isLowered && isGivenUp(known.block, next, ours, look)) {
        goBack(known.block, next)
        return true
      }
      // They are behind us, on our chain: what we have stands.
      agreed[tag] = { ...known, seenMs: next.seenMs }
      return true
    }
    if (ours !== null && ours !== next.block.hash) {
      const loyal = shown
        .filter(({ view }) => view.hashAt(next.block.number) === ours)
        .map(({ voter }) => voter)
      // Two quorums contradict each other: hear everybody, and while ours is one still, stay.
      if (isQuorum(loyal) && asked.length < ports.voters().length) return false
      if (isQuorum(shownAt(next.block.number, shown, voices).get(ours) ?? []) && known !== null) {
        agreed[tag] = { ...known, seenMs: next.seenMs }
        return true
      }
    }
    if (tag === 'latest') take(next)
    else agreed[tag] = next
    return true
  }

  /**
   * A lower block of a chain that we do not know wins with a quorum of those who do not show our head; one that is on our
   * chain when nobody shows our head any more, for while somebody does the others may only lag.
   */
  function isGivenUp(head: BlockId, { voters }: Agreed, ours: string | null, { heard }: Look): boolean {
    const showsHead = (voter: number) => {
      const place = heard.get(voter) ?? -1
      return place >= head.number && (views.latest.of(voter).hashAt(head.number) ?? head.hash) === head.hash
    }
    return ours === null
      ? ports.isQuorum(
          voters.filter((voter) => !showsHead(voter)),
          false,
        )
      : ![...heard.keys()].some(showsHead)
  }

  function goBack(from: BlockId, next: Agreed): void {
    chain.setBack(next.block)
    tellReorg(from, next.block, true)
    become(next)
    ports.onHead(next)
  }

  function take(next: Agreed): void {
    const before = agreed.latest?.block ?? null
    const wasLowered = setBack.isLowered()
    const reorg = chain.admit(next.block)
    if (reorg !== null) tellReorg(reorg.from, next.block, reorg.isDeep)
    else if (before !== null && !chain.standsOn(before)) gap.opened(before, wasLowered)
    become(next)
    if (next.block.hash !== before?.hash) ports.onHead(next)
  }

  /** The head does not stand on what was agreed before. */
  function parted(from: BlockId): void {
    tellReorg(from, (agreed.latest as Agreed).block, true)
  }

  function become(next: Agreed): void {
    setBack.shown()
    agreed.latest = next
  }

  function tellReorg(from: BlockId, to: BlockId, isDeep: boolean): void {
    gap.forget()
    if (isDeep) forgetFinality()
    ports.onReorg(from, to, isDeep)
  }

  /** What was final before a reorg of unknown depth is final no more until nodes say so again. */
  function forgetFinality(): void {
    for (const tag of ['safe', 'finalized'] as const) {
      agreed[tag] = null
      views[tag] = createViews()
    }
  }

  return {
    chain,
    of: (tag) => agreed[tag],
    views: (tag) => views[tag],
    admit,
    learn(block) {
      const from = chain.learn(block)
      if (from !== null) parted(from)
    },
    looked: gap.looked,
  }
}
