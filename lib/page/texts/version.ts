export const versionTexts = {
  text: 'A new version is here.',
  reload: 'Reload',
} as const
