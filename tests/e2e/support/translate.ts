import { readdirSync, readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'

/**
 * Translates the page as Chrome does, and goes on as long as the page is open: each text is replaced by two `<font>` elements, unless an
 * element around it has `translate="no"`. The words stay, so that tests find them.
 */
export async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const untouched = 'script, style, noscript, textarea, title, font, [translate="no"], .notranslate'
    const wrap = (text: Text) => {
      if (!text.data.trim() || !text.parentElement || text.parentElement.closest(untouched)) return
      const font = document.createElement('font')
      font.append(document.createElement('font'))
      font.firstElementChild?.append(text.data)
      text.replaceWith(font)
    }
    const wrapAll = (root: Node) => {
      const texts: Text[] = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node: Node | null = root.nodeType === Node.TEXT_NODE ? root : walker.nextNode(); node; ) {
        texts.push(node as Text)
        node = walker.nextNode()
      }
      texts.forEach(wrap)
    }
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) addedNodes.forEach(wrapAll)
    }).observe(document.body, { childList: true, subtree: true })
    wrapAll(document.body)
  })
}

const textsFolder = 'lib/page/texts'
const texts = readdirSync(textsFolder)
  .map((name) => readFileSync(`${textsFolder}/${name}`, 'utf8'))
  .join('\n')

/** The texts that a translation gets together with a figure. One that stands as it is among those of pages never changes. */
async function figuresInWords(page: Page): Promise<readonly string[]> {
  const translated = await page.locator('font > font').allTextContents()
  return translated.filter(
    (text) => /\d/.test(text) && /\p{L}/u.test(text) && !texts.includes(text.replaceAll("'", "\\'")),
  )
}

/**
 * Fails on each text that React still holds but that is no longer in the page: its updates are never seen, and inserting or removing a
 * sibling throws. Only texts with siblings are lost; React sets the only text of an element through the element. Fails too on words with a figure.
 */
export async function expectNoLostText(page: Page, state: string): Promise<void> {
  const lost = await page.evaluate(() => {
    interface Fiber {
      readonly tag: number
      readonly stateNode: unknown
      readonly child: Fiber | null
      readonly sibling: Fiber | null
      readonly return: Fiber | null
    }
    const key = Object.keys(document).find((name) => name.startsWith('__reactContainer$'))
    let root = (document as unknown as Record<string, Fiber>)[key ?? '']
    if (root === undefined) return ['React has no root here']
    // The container names the first tree; the root behind it the current one.
    root = (root.stateNode as { readonly current: Fiber }).current
    const texts: string[] = []
    const visit = (fiber: Fiber | null) => {
      for (let each = fiber; each; each = each.sibling) {
        const { stateNode } = each
        if (each.tag === 6 && stateNode instanceof Text && stateNode.data.trim() && !stateNode.isConnected) {
          let owner = each.return
          while (owner && !(owner.stateNode instanceof Element)) owner = owner.return
          const { localName, className } = (owner?.stateNode ?? document.body) as Element
          texts.push(`<${localName} class="${className}">${stateNode.data}`)
        }
        visit(each.child)
      }
    }
    visit(root.child)
    return texts
  })
  expect([...lost, ...(await figuresInWords(page))], state).toEqual([])
}
