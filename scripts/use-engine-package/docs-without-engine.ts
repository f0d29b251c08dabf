/** What `npm run use-engine-package` deletes. */
export const engineFolders = ['rpc-proxy', 'tests/engine'] as const

interface Engine {
  readonly name: string
  /** Of `package.json`, without which a fork is left. */
  readonly scripts: readonly string[]
}

/**
 * A document for a fork whose engine is a package: the engine's own page is in the package, other links to it become text, and what a
 * developer would do in its folders goes.
 */
export function docsWithoutEngine(path: string, text: string, { name, scripts }: Engine): string {
  const linked = text
    .replaceAll('rpc-proxy/README.md', `node_modules/${name}/README.md`)
    .replaceAll(/\[([^\]]*)\]\((?:\.\.?\/)*(?:rpc-proxy|tests\/engine)\/[^)]*\)/g, '$1')
  const isOfDevelopers = ['AGENTS.md', 'CONTRIBUTING.md'].includes(path)
  const folders = isOfDevelopers ? '^\\|.*(`rpc-proxy/|tests/engine/)|' : ''
  const isOfEngine = new RegExp(`${folders}^(\\|.*)?\`?npm run (${scripts.join('|')})\\b`)
  return linked
    .split('\n')
    .filter((line) => !isOfEngine.test(line))
    .join('\n')
}
