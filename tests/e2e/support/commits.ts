import type { Page } from '@playwright/test'

/** What React has committed to a page: the phase of the wallet that was in it then, and the components that it rendered. */
export interface Commit {
  readonly phase: string | null
  readonly renders: number
}

/** The part of React's fibers that its own developer tools read. */
interface Fiber {
  readonly tag: number
  readonly flags: number
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly alternate: Fiber | null
}

/** Notes each commit from the first one on, through the hook of React's developer tools. Call it before opening the page. */
export async function countCommits(page: Page): Promise<() => Promise<readonly Commit[]>> {
  await page.addInitScript(() => {
    const commits: Commit[] = []
    // Function, class, forwardRef and memo components.
    const components = [0, 1, 11, 14, 15]
    const performedWork = 1
    const rendersIn = (next: Fiber, before: Fiber | null): number => {
      const isRendered = before === null || (next.flags & performedWork) !== 0
      let renders = isRendered && components.includes(next.tag) ? 1 : 0
      if (before !== null && next.child === before.child) return renders
      for (let child = next.child; child !== null; child = child.sibling)
        renders += rendersIn(child, before && child.alternate)
      return renders
    }
    Object.assign(window, {
      commits,
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberUnmount() {},
        onCommitFiberRoot(_: number, { current }: { current: Fiber }) {
          const phase = document.querySelector('[data-phase]')?.getAttribute('data-phase') ?? null
          commits.push({ phase, renders: rendersIn(current, current.alternate) })
        },
      },
    })
  })
  return () => page.evaluate(() => Reflect.get(window, 'commits'))
}
