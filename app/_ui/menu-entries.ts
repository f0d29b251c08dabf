import { shellTexts } from '#lib/page/texts/shell.ts'

export const menuEntries = [
  { href: '/', text: shellTexts.home },
  { href: '/token', text: shellTexts.token },
  { href: '/status', text: shellTexts.nodes },
] as const
