export const notFoundTexts = {
  title: 'Page not found',
  text: 'There is no page at this address. Check the address, or start from the home page.',
  back: 'Go to the home page',
} as const

export const errorTexts = {
  title: 'This page could not be shown',
  text: 'Reload it, or try again.',
  reload: 'Reload',
  newVersion: 'A new version is here.',
  reference: 'If it happens again, tell the operator of this site this error id:',
} as const
